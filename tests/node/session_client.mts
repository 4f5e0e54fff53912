// A client in TypeScript, whose types are generated from docs/openapi.json, drives a session's story
// end to end: it is type-checked, then run against a running node (tests/system/typescript_client_test).
import createClient from "openapi-fetch";
import type { paths, components } from "./generated/writ.d.ts";

declare const process: { env: Record<string, string | undefined>; exit(code: number): never };

type Command = components["schemas"]["Command"];

function env(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is not set`);
  return value;
}

function must(holds: unknown, what: string): asserts holds {
  if (!holds) throw new Error(what);
}

const baseUrl = env("WRIT_URL");
const apiKey = env("WRIT_KEY");
const clientFor = (token: string) =>
  createClient<paths>({ baseUrl, headers: { "X-Api-Key": apiKey, Authorization: `Bearer ${token}` } });

const anya = clientFor(env("ANYA"));
const ben = clientFor(env("BEN"));
const backend = clientFor(env("BACKEND"));

type Event = { id: string; type: string; data: any };

// Server-sent events over fetch, as a browser's EventSource would read them, with the token in a header.
async function* follow(session: string, token: string, last?: string): AsyncGenerator<Event> {
  const headers: Record<string, string> = { "X-Api-Key": apiKey, Authorization: `Bearer ${token}` };
  if (last !== undefined) headers["Last-Event-ID"] = last;
  const response = await fetch(`${baseUrl}/v1/agents/sessions/${session}/events`, { headers });
  must(response.status === 200 && response.body !== null, `events: ${response.status}`);
  let text = "";
  let id = last ?? "";
  for await (const piece of response.body.pipeThrough(new TextDecoderStream())) {
    text += piece;
    for (let end = text.indexOf("\n\n"); end >= 0; end = text.indexOf("\n\n")) {
      const lines = text.slice(0, end).split("\n");
      text = text.slice(end + 2);
      const valueOf = (key: string) =>
        lines.filter((line) => line.startsWith(`${key}: `)).map((line) => line.slice(key.length + 2)).join("\n");
      if (valueOf("id") !== "") id = valueOf("id");
      if (valueOf("event") !== "") yield { id, type: valueOf("event"), data: JSON.parse(valueOf("data")) };
    }
  }
}

async function next(events: AsyncGenerator<Event>, fits: (event: Event) => boolean): Promise<Event> {
  for (;;) {
    const { value, done } = await events.next();
    must(!done, "the stream ended");
    if (fits(value)) return value;
  }
}

async function ask(session: string, text: string): Promise<string> {
  const { data, error } = await anya.POST("/v1/agents/sessions/{id}/commands", {
    params: { path: { id: session } },
    body: { text, client_id: text },
  });
  must(data, JSON.stringify(error));
  return data.command_id;
}

async function commandOf(session: string, command: string): Promise<Command> {
  const { data } = await backend.GET("/v1/agents/sessions/{id}/commands/{command}", {
    params: { path: { id: session, command } },
  });
  must(data, "no command");
  return data;
}

// 1. Anya opens a session of her own and declares a tool of her device.
const opened = await anya.POST("/v1/agents/sessions", {
  body: {
    agent_id: "helper",
    client_tools: [
      { name: "locate", description: "Finds a thing", input_schema: { type: "object", properties: { room: { type: "string" } } } },
    ],
  },
});
must(opened.data, JSON.stringify(opened.error));
const session = opened.data.session_id;
must(opened.data.owner === "anya-1" && opened.data.client_tools.includes("locate"), "her session");

// 2. Nobody else finds it.
const bens = await ben.GET("/v1/agents/sessions/{id}", { params: { path: { id: session } } });
must(bens.response.status === 404 && bens.error?.code === "session_not_found", "a stranger sees nothing");
const mine = await anya.GET("/v1/agents/sessions", { params: { query: { state: "open" } } });
must(mine.data?.sessions.some((s) => s.session_id === session), "she finds it among hers");
const none = await ben.GET("/v1/agents/sessions");
must(none.data?.sessions.length === 0, "he has none");

// 3. A held call waits for her; her answer lets it go.
const events = follow(session, env("ANYA"));
const held = await ask(session, '!crm__echo {"message":"shift 42"}');
const step = await next(events, (e) => e.type === "step.updated" && e.data.step.status === "awaiting_approval");
must(step.data.step.target_user_id === "anya-1", "she is asked");
const answered = await anya.POST("/v1/agents/sessions/{id}/tool_approvals", {
  params: { path: { id: session } },
  body: { tool_call_id: step.data.step.id, request_id: step.data.step.request_id, allowed: true },
});
must(answered.response.status === 204, "her answer is taken");
const end = await next(events, (e) => e.type === "turn.completed");
must(end.data.command_id === held && end.data.reply.includes("shift 42"), "the reply");
must((await commandOf(session, held)).state === "completed", "completed");

// 4. A call goes to her device, which takes it and tells the result.
const located = await ask(session, '!device__locate {"room":"attic"}');
const offer = await next(events, (e) => e.type === "tool.call");
const call = { id: session, command: located, call: offer.data.call_id };
const taken = await anya.POST("/v1/agents/sessions/{id}/commands/{command}/calls/{call}/take", {
  params: { path: call },
});
must(taken.data && taken.data.arguments["room"] === "attic", "her device takes it");
const reported = await anya.POST("/v1/agents/sessions/{id}/commands/{command}/calls/{call}/result", {
  params: { path: call },
  body: { result: { found: true } },
});
must(reported.response.status === 204, "the result is taken");
await next(events, (e) => e.type === "turn.completed" && e.data.command_id === located);

// 4b. What her backend follows up with is nobody's: a held call of it is refused, the rest works.
const followUp = await backend.POST("/v1/agents/sessions/{id}/commands", {
  params: { path: { id: session } },
  body: { text: '!crm__echo {"message":"follow-up"}\n!crm__lookup {"name":"anya"}' },
});
must(followUp.data, JSON.stringify(followUp.error));
await next(events, (e) => e.type === "turn.completed" && e.data.command_id === followUp.data.command_id);
const followed = await commandOf(session, followUp.data.command_id);
must(followed.writer === null && followed.initiator === null, "nobody wrote it");
must(followed.steps.map((s) => s.outcome).join() === "refused,done", "refused at once, and the rest is done");

// 4c. She declines a call, and says why.
const declined = await ask(session, '!crm__echo {"message":"never, either"}');
const asked = await next(events, (e) => e.type === "step.updated" && e.data.step.status === "awaiting_approval");
const no = await anya.POST("/v1/agents/sessions/{id}/tool_approvals", {
  params: { path: { id: session } },
  body: {
    tool_call_id: asked.data.step.id,
    request_id: asked.data.step.request_id,
    allowed: false,
    summary: "not on a Monday",
  },
});
must(no.response.status === 204, "her no is taken");
const second = await next(events, (e) => e.type === "turn.completed" && e.data.command_id === declined);
must((await commandOf(session, declined)).steps[0]?.outcome === "declined", "declined");
await events.return(undefined);

// 5. Whoever comes back goes on where they were.
const third = await ask(session, "hello");
const again = follow(session, env("ANYA"), second.id);
const missed = await next(again, (e) => e.type === "command.created");
must(missed.data.command_id === third, "only what is new");
await next(again, (e) => e.type === "turn.completed");

// 6. A WebSocket has the same events.
const socket = new WebSocket(
  `${baseUrl.replace("http", "ws")}/v1/agents/sessions/${session}/socket?api_key=${apiKey}`,
  ["writ.v1", `writ.token.${env("ANYA")}`],
);
const heard: Event[] = [];
socket.addEventListener("message", (message) => heard.push(JSON.parse(String(message.data))));
await new Promise<void>((resolve, reject) => {
  socket.addEventListener("open", () => resolve());
  socket.addEventListener("error", () => reject(new Error("no WebSocket")));
});
must(socket.protocol === "writ.v1", "its protocol");
const closed = new Promise<void>((resolve) => socket.addEventListener("close", () => resolve()));

// 6b. She answers over it, too: the same door.
const overSocket = async (type: string, fits: (data: any) => boolean): Promise<Event> => {
  for (;;) {
    const found = heard.find((e) => e.type === type && fits(e.data));
    if (found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
};
await ask(session, '!crm__echo {"message":"over the socket"}');
const waiting = await overSocket(
  "step.updated",
  (data) => data.step.status === "awaiting_approval" && data.step.approval.message.includes("over the socket"),
);
socket.send(
  JSON.stringify({
    type: "tool_approval",
    ref: "7",
    tool_call_id: waiting.data.step.id,
    request_id: waiting.data.step.request_id,
    allowed: true,
  }),
);
const settled = await overSocket("tool_approval.result", (data) => data.ref === "7");
must(settled.data.status === 204, "her answer over the socket is taken");
await next(again, (e) => e.type === "turn.completed" && e.data.reply.includes("over the socket"));

// 7. She cancels a command, and closes the session; the socket ends with it.
const cancelled = await ask(session, '!crm__echo {"message":"never"}');
await next(again, (e) => e.type === "turn.awaiting_approval");
const cancel = await anya.POST("/v1/agents/sessions/{id}/commands/{command}/cancel", {
  params: { path: { id: session, command: cancelled } },
});
must(cancel.response.status === 204, "cancelled");
const gone = await anya.DELETE("/v1/agents/sessions/{id}", { params: { path: { id: session } } });
must(gone.response.status === 204, "closed");
await closed;
must(heard.some((e) => e.type === "turn.cancelled" && e.data.command_id === cancelled), "the socket heard of it");
must(heard.at(-1)?.type === "session.closed", "and of the end");
const read = await anya.GET("/v1/agents/sessions/{id}", { params: { path: { id: session } } });
must(read.data?.state === "closed", "it can be read for a while");
const late = await anya.POST("/v1/agents/sessions/{id}/commands", {
  params: { path: { id: session } },
  body: { text: "anybody?" },
});
must(late.response.status === 404 && late.error?.code === "session_not_found", "and takes nothing any more");
const again409 = await anya.POST("/v1/agents/sessions/{id}/commands/{command}/cancel", {
  params: { path: { id: session, command: cancelled } },
});
must(again409.response.status === 409 && again409.error?.code === "command_ended", "nor is there anything to cancel");

// 8. In a conversation with a channel her backend opens a session with a tool that it runs itself; a call of it is
// asked of her, its result is the backend's to tell.
const shared = await backend.POST("/v1/agents/sessions", {
  body: {
    agent_id: "helper",
    cid: "agent:anyas",
    user_id: "anya-1",
    server_tools: [
      { name: "order", description: "Orders a thing", input_schema: { type: "object" }, require_approval: true },
    ],
  },
});
must(shared.data, JSON.stringify(shared.error));
const own = shared.data.session_id;
const twice = await anya.POST("/v1/agents/sessions", { body: { agent_id: "helper", cid: "agent:anyas" } });
must(twice.response.status === 409 && twice.error?.code === "session_exists", "one on a channel");
const stranger = await ben.POST("/v1/agents/sessions", { body: { agent_id: "helper", cid: "agent:anyas" } });
must(stranger.response.status === 404 && stranger.error?.code === "no_session", "which he is no member of");
const ordered = await ask(own, "!shop__order {}");
const news = follow(own, env("ANYA"));
await next(news, (e) => e.type === "turn.awaiting_approval");
const cid = { params: { path: { cid: "agent:anyas" } } };
const open = await anya.GET("/v1/agents/conversations/{cid}/tool_approvals", cid);
must(open.data?.approvals.length === 1, "it waits for her");
const approval = open.data.approvals[0]!;
must(approval.asked === "anya-1" && approval.tool === "shop__order", "that call");
const yes = await anya.POST("/v1/agents/conversations/{cid}/tool_approvals", {
  ...cid,
  body: { tool_call_id: approval.call_id, request_id: approval.approval_id, allowed: true },
});
must(yes.response.status === 204, "she allows it");
const order = { params: { path: { id: own, command: ordered, call: approval.call_id } }, body: { result: "on its way" } };
const forged = await anya.POST("/v1/agents/sessions/{id}/commands/{command}/calls/{call}/result", order);
must(forged.response.status === 403 && forged.error?.code === "forbidden", "its result is not hers to tell");
for (;;) {
  const told = await backend.POST("/v1/agents/sessions/{id}/commands/{command}/calls/{call}/result", order);
  if (told.response.status === 204) break;
  must(told.error?.code === "call_not_taken", "until it was called there is none");
  await new Promise((resolve) => setTimeout(resolve, 20));
}
const delivered = await next(news, (e) => e.type === "turn.completed");
must(delivered.data.reply.includes("on its way"), "the backend's result");
console.log("the story is over");
process.exit(0);
