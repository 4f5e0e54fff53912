#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "router/flow/growing_replies.h"
#include "router/flow/node.h"
#include "router/flow/ports.h"
#include "router/flow/setup.h"
#include "router/turn/face.h"
#include "router/turn/outbox.h"

namespace writ::router {

// Shows in the channels what the outbox holds: one message a turn, in its newest face, each
// channel's in order, tried again with a back-off while the platform can't take it.
class Deliver {
 public:
  Deliver(const Ports& ports, const Directory& directory, Node& node, GrowingReplies& growing)
      : ports_(ports), directory_(directory), node_(node), growing_(growing) {}

  // So many are claimed at once.
  static constexpr std::size_t kBatch = 64;

  // Claims what is due and sends it on its way. Returns how many.
  std::size_t Pump();

  // Runs after each delivery, for the channel's next one; without it that is a Pump() of its own.
  void LookAgainBy(std::function<void()> look_again) { look_again_ = std::move(look_again); }

 private:
  struct Parcel {
    Delivery delivery;
    Post post;
    const AppSetup* app;
    bool anew = false;  // what stood there is gone, or its place is taken
  };
  [[nodiscard]] std::optional<Parcel> Wrap(Delivery delivery) const;
  void SendOff(const Delivery& delivery);
  void Send(const std::shared_ptr<Parcel>& parcel);
  void Edit(const std::shared_ptr<Parcel>& parcel);
  void ShowAnew(const std::shared_ptr<Parcel>& parcel, const ChatFailure& failure);
  void OnOutcome(const std::shared_ptr<Parcel>& parcel, Posted posted);
  void Delivered(const Parcel& parcel);
  static void ClearIndicator(const Parcel& parcel);  // where its turn has ended
  void Postpone(const Parcel& parcel, const ChatFailure& failure);
  void GiveUp(const Delivery& delivery, const std::string& why);
  void GiveUp(const Parcel& parcel, const std::string& why);
  // Runs `commit` now, and again after a while where the store can't be reached: what was shown is
  // to be known, and a delivery that nobody lets go of would hold its channel up.
  void Keep(std::function<void()> commit);

  const Ports& ports_;
  const Directory& directory_;
  Node& node_;
  GrowingReplies& growing_;
  std::function<void()> look_again_ = [this] { ports_.jobs.Run([this] { Pump(); }); };
};

}  // namespace writ::router
