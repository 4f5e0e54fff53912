// Verifies deliveries with the Standard Webhooks project's own library. Standard input:
// {"secret", "deliveries": [{"headers": {…}, "body": "…"}]}. Prints how many were right; the first
// one that is not ends it with the library's own words.
import { readFileSync } from "node:fs";
import { Webhook } from "standardwebhooks";

const { secret, deliveries } = JSON.parse(readFileSync(0, "utf8"));
const webhook = new Webhook(secret);
for (const { headers, body } of deliveries) webhook.verify(body, headers);
console.log(`verified ${deliveries.length}`);
