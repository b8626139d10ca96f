// The connection: JSON-RPC over a WebSocket on the page's own port. It comes back by itself.

/** An error that the service has answered. */
class Refusal extends Error {
  constructor(error) {
    super(error.message);
    this.code = error.code;
    this.diagnostics = (error.data && error.data.diagnostics) || [];
  }
}

/** An error because the connection is gone. */
class Lost extends Error {}

const FIRST_WAIT = 500;
const LONGEST_WAIT = 4000;

class Link {
  /** `opened` and `lost` are called whenever the connection is there, or gone. */
  constructor({ opened, lost }) {
    this.opened = opened;
    this.lost = lost;
    this.waiting = new Map();
    this.last = 0;
    this.wait = FIRST_WAIT;
    this.socket = null;
  }

  connect() {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/`);
    this.socket = socket;
    socket.onopen = () => this.opened();
    socket.onmessage = (event) => {
      if (typeof event.data === "string") this.receive(JSON.parse(event.data));
    };
    socket.onclose = () => {
      const open = [...this.waiting.values()];
      this.waiting.clear();
      for (const { reject } of open) reject(new Lost("the connection is lost"));
      this.socket = null;
      if (this.lost()) {
        setTimeout(() => this.connect(), this.wait);
        this.wait = Math.min(this.wait * 2, LONGEST_WAIT);
      }
    };
  }

  /** The service answers: later tries begin quickly again. */
  settle() {
    this.wait = FIRST_WAIT;
  }

  receive(message) {
    for (const answer of Array.isArray(message) ? message : [message]) {
      const open = this.waiting.get(answer.id);
      if (!open) continue;
      this.waiting.delete(answer.id);
      if (answer.error) open.reject(new Refusal(answer.error));
      else open.resolve(answer.result);
    }
  }

  prepare(method, params) {
    const id = ++this.last;
    const answer = new Promise((resolve, reject) => this.waiting.set(id, { resolve, reject }));
    return { message: { jsonrpc: "2.0", id, method, params }, answer };
  }

  send(value) {
    if (this.socket && this.socket.readyState === WebSocket.OPEN) {
      this.socket.send(JSON.stringify(value));
      return true;
    }
    return false;
  }

  /** The result of a request. */
  request(method, params = {}) {
    const { message, answer } = this.prepare(method, params);
    if (!this.send(message)) this.refuse(message.id);
    return answer;
  }

  /** The results of several requests that are sent as one, each `[method, params]`. */
  batch(requests) {
    const all = requests.map(([method, params]) => this.prepare(method, params));
    if (!this.send(all.map(({ message }) => message))) {
      for (const { message } of all) this.refuse(message.id);
    }
    return Promise.allSettled(all.map(({ answer }) => answer));
  }

  refuse(id) {
    const open = this.waiting.get(id);
    this.waiting.delete(id);
    open.reject(new Lost("the connection is lost"));
  }
}

