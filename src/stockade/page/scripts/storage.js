// Does a piece of work on the storage of an origin, and tells as text what came of it.
async (work, origin, argument) => {
  const wellFormed = (_, value) => (typeof value === 'string' ? value.toWellFormed() : value);
  const tell = (answer) => JSON.stringify(answer, wellFormed);
  if (self.origin !== origin) return tell({ error: { name: 'Moved', message: '' } });
  try {
    return tell({ value: await work(argument) });
  } catch (error) {
    const { name, message, details } = error ?? {};
    return tell({ error: { name: String(name), message: String(message), details } });
  }
};
