// A bot in JavaScript: it sits down at a table on a Kostka server and plays any legal action.
//
//   node bot.js http://127.0.0.1:8000/table/ID
//
// Node 22 or newer has all it needs (Node 20 with --experimental-websocket).
// Replace `choose` by something clever. The protocol is described in docs/protocol.md.

// `legal` is what can be done, `scores` how it stands, `view` all that the seat sees.
function choose(position) {
  const { legal } = position;
  return legal[Math.floor(Math.random() * legal.length)].action;
}

async function main() {
  const [server, table] = process.argv[2].split("/table/");

  // Sit down. The answer has a token, which is the right to the seat.
  const answer = await fetch(`${server}/api/tables/${table}/join`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ name: "bot.js" }),
  });
  const { token, error } = await answer.json();
  if (error) throw new Error(error);

  const line = new WebSocket(`${server.replace("http", "ws")}/api/tables/${table}/play`);
  const send = (message) => line.send(JSON.stringify(message));
  line.onopen = () => {
    send({ type: "hello", token, board: false });
    send({ type: "ready" });
  };
  line.onmessage = ({ data }) => {
    const message = JSON.parse(data);
    if (message.type === "error") throw new Error(message.error);
    if (message.type !== "position") return;
    if (message.mover === -2) {
      console.log("The game is over. Result by seat:", message.result);
      line.close();
    } else if (message.legal.length > 0) { // only when it is our turn
      send({ type: "act", at: message.at, action: choose(message) });
    }
  };
}

main().catch((error) => {
  console.error(error.message);
  process.exit(1);
});
