// Lines of Markdown under way: inline text is gathered until its block ends, and stands below the
// markers of the lists and quotes around it. A marker is written with the first line that it has.
() => {
  const { Text } = globalThis.stockade.modules;
  const lines = [];
  let size = 0;
  let buffer = '';
  let lead = '';
  let blocks = 0;
  let loose = false;
  let begun = false;
  let fresh = false;
  const levels = [];
  const depths = [];
  let table = null;

  // --- lines -------------------------------------------------------------------------------------

  const prefix = () =>
    levels
      .map((level) => {
        if (level.used) return level.rest;
        level.used = true;
        return level.first;
      })
      .join('');
  const push = (line) => {
    lines.push(line);
    size += line.length + 1;
  };
  const write = (text, wantsGap) => {
    // Items of one list follow one another closely.
    const first = levels.some((level) => !level.used);
    if (begun && (first ? fresh && !levels.some((level) => level.used) : loose || wantsGap)) {
      push(
        levels
          .filter((level) => level.used)
          .map((level) => level.rest)
          .join('')
          .trimEnd(),
      );
    }
    fresh = false;
    begun = true;
    for (const line of text.split('\n')) push((prefix() + line).trimEnd());
    blocks += 1;
    loose = wantsGap;
  };

  // What would read as a mark of Markdown at the start of a line is told from one.
  const SPECIAL = /^(#{1,6}|[>+*-]|={3,}|~{3,}|`{3,}|\d{1,9}[.)])(?=\s|$)/;
  const escaped = (found) => (/^\d/.test(found) ? `${found.slice(0, -1)}\\${found.slice(-1)}` : `\\${found}`);
  const flush = (wantsGap) => {
    const text = buffer.trim();
    buffer = '';
    const title = lead;
    if (!text) {
      loose = loose || (wantsGap && begun);
      return;
    }
    lead = '';
    if (table && table.cell) {
      table.cell.parts.push(text);
      blocks += 1;
      return;
    }
    const clean = text.split('\n').map((each) => each.trim());
    write(title ? title + clean.join(' ') : clean.map((each) => each.replace(SPECIAL, escaped)).join('\n'), wantsGap);
  };
  const line = (text) => {
    flush(true);
    if (table && table.cell) table.cell.parts.push(text);
    else write(text, true);
  };

  // --- inline ------------------------------------------------------------------------------------

  const say = (text) => {
    const flat = text.replace(/\s+/g, ' ');
    buffer += /(?:^|\s)$/.test(buffer) ? flat.trimStart() : flat;
  };
  const space = () => {
    if (buffer && !/\s$/.test(buffer)) buffer += ' ';
  };
  const newline = () => {
    if (buffer) buffer = `${buffer.trimEnd()}\n`;
  };
  // Links and buttons side by side are words of their own, however the page keeps them apart.
  const apart = () => {
    if (/[\p{L}\p{N})\]]$/u.test(buffer)) buffer += ' ';
  };
  const mark = () => ({ at: buffer.length, blocks });
  const empty = (from) => from.blocks === blocks && !buffer.slice(from.at).trim();
  // Puts what was said since a mark into other words; blocks in between leave only `otherwise`.
  const close = (from, wrap, otherwise = '') => {
    if (from.blocks !== blocks) {
      if (otherwise && otherwise !== '→') {
        space();
        say(otherwise);
      }
      return;
    }
    const said = buffer.slice(from.at);
    const core = said.trim();
    if (!core) return;
    const start = said.indexOf(core);
    buffer = buffer.slice(0, from.at) + said.slice(0, start) + wrap(core) + said.slice(start + core.length);
  };
  const ticks = (text, least) => {
    let longest = least - 1;
    for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
    return '`'.repeat(longest + 1);
  };
  const code = (text) => {
    if (!text) return;
    const tick = ticks(text, 1);
    const edge = text.startsWith('`') || text.endsWith('`') ? ' ' : '';
    say(`${tick}${edge}${text}${edge}${tick}`);
  };
  const fence = (text, language) => {
    if (!text) return;
    if (table && table.cell) {
      code(Text.clean(text));
      return;
    }
    flush(true);
    const tick = ticks(text, 3);
    write(`${tick}${language}\n${text}\n${tick}`, true);
  };

  // --- blocks within blocks ----------------------------------------------------------------------

  const heading = (level) => {
    if (!(table && table.cell)) lead = `${'#'.repeat(Math.min(level, 6))} `;
  };
  const item = (marker) => {
    levels.push({ first: marker, rest: ' '.repeat(marker.length), used: false });
  };
  const quote = () => {
    levels.push({ first: '> ', rest: '> ', used: false });
    fresh = true;
  };
  const up = () => {
    flush(false);
    levels.pop();
  };
  const listed = (open) => {
    flush(false);
    depths.push(levels.length);
    fresh = true;
    open();
  };
  const unlisted = () => {
    flush(false);
    depths.pop();
    if (!depths.length) loose = true;
  };

  // --- tables ------------------------------------------------------------------------------------

  const startTable = (head) => {
    flush(true);
    table = { head, rows: [], row: null, cell: null, title: '', held: [] };
  };
  const row = () => {
    table.row = [];
  };
  const cell = ({ across, down }, header) => {
    const cells = table.row;
    while (table.held[cells.length] > 0) cells.push('');
    table.cell = { parts: [], at: cells.length, across, down, header };
  };
  const endCell = () => {
    flush(false);
    const { parts, at, across, down } = table.cell;
    table.row[at] = parts.join('<br>').replace(/\n/g, '<br>').replace(/\|/g, '\\|').trim();
    for (let i = 1; i < across; i += 1) table.row.push('');
    for (let i = at; i < at + across; i += 1) table.held[i] = Math.max(table.held[i] || 0, down);
    table.cell = null;
  };
  const endRow = () => {
    buffer = '';
    table.held = table.held.map((left) => Math.max(0, left - 1));
    if (table.row.some(Boolean)) table.rows.push(table.row);
    table.row = null;
  };
  const title = (text) => {
    if (table) table.title = text;
  };
  const endTable = () => {
    buffer = '';
    const { rows, head } = table;
    const heading = table.title;
    table = null;
    if (!rows.length) return;
    const width = Math.max(...rows.map((cells) => cells.length));
    // Columns that say nothing anywhere are only room.
    const used = [...Array(width).keys()].filter((at) => rows.some((cells) => cells[at]));
    const written = rows.map((cells) => `| ${used.map((at) => cells[at] || '').join(' | ')} |`);
    if (!head) written.unshift(`|${' |'.repeat(used.length)}`);
    written.splice(1, 0, `|${'-|'.repeat(used.length)}`);
    if (heading) write(`**${heading}**`, true);
    write(written.join('\n'), true);
  };

  return {
    say,
    space,
    newline,
    apart,
    mark,
    empty,
    close,
    code,
    fence,
    line,
    flush,
    heading,
    item,
    quote,
    up,
    listed,
    unlisted,
    table: startTable,
    row,
    cell,
    endCell,
    endRow,
    endTable,
    title,
    inTable: () => Boolean(table),
    betweenRows: () => Boolean(table && !table.row),
    inRow: () => Boolean(table && table.row && !table.cell),
    size: () => size,
    text: () => lines.join('\n'),
  };
}
