/**
 * @param {readonly string[]} head
 * @param {readonly (readonly string[])[]} rows
 */
export function table(head, rows) {
  const cell = (/** @type {string} */ text) => text.replaceAll('|', '\\|');
  return [head, head.map(() => '---'), ...rows.map((row) => row.map(cell))]
    .map((row) => `| ${row.join(' | ')} |`)
    .join('\n');
}

/**
 * Returns a block of code whose fence is longer than any fence in it.
 *
 * @param {string} language
 * @param {string} text
 */
export function codeBlock(language, text) {
  const fences = [...text.matchAll(/`{3,}/g)].map(([{ length }]) => length);
  const fence = '`'.repeat(Math.max(2, ...fences) + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}

/**
 * Replaces the generated parts of a page between their markers.
 *
 * @param {string} page
 * @param {Readonly<Record<string, string>>} parts
 */
export function replaceParts(page, parts) {
  return page.replaceAll(/(<!-- generated: ([\w-]+) -->)[^]*?(<!-- \/generated -->)/g, (_, start, name, end) => {
    const content = parts[name];
    if (content === undefined) throw new Error(`No generator fills the part \`${name}\`.`);
    return `${start}\n\n${content}\n\n${end}`;
  });
}
