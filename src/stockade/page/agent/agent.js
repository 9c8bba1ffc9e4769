// The table of what Python may call, and the shape of every answer.
const Agent = (() => {
  const methods = new Map();

  class Failure extends Error {
    constructor(code, message, details) {
      super(message);
      this.code = code;
      this.details = details;
    }
  }

  const fail = (code, message, details = {}) => {
    throw new Failure(code, message, details);
  };

  const expose = (name, method) => {
    if (methods.has(name)) throw new Error(`two methods ${name}`);
    methods.set(name, method);
  };

  const answerError = (error) => {
    const known = error instanceof Failure;
    return JSON.stringify({
      error: {
        code: known ? error.code : 'agent_fault',
        message: String(error && error.message),
        details: known ? error.details : { stack: String(error && error.stack).slice(0, 2000) },
      },
    });
  };

  const answer = (value) => JSON.stringify({ ok: value === undefined ? null : value, next: Refs.next() });

  const run = (method, args) => {
    try {
      Refs.raise(args.base || 1);
      const value = method(args);
      if (value instanceof Promise) return value.then(answer, answerError);
      return answer(value);
    } catch (error) {
      return answerError(error);
    }
  };

  const call = (name, args) => run(methods.get(name) || (() => fail('agent_fault', `no method ${name}`)), args);

  return Object.freeze({ expose, fail, run, call });
})();
