import { ROOMS, SUBFOLDER_PACKAGES } from '../layers.js';
import { table } from './markdown.js';

/** Lists the rooms of `src/`, from left to right. */
export function roomTable() {
  const rows = ROOMS.map(({ name, about, packages = [], system = false }) => [
    `\`${name}${name.endsWith('.ts') ? '' : '/'}\``,
    about,
    [
      ...packages.map((packageName) => `\`${packageName}\``),
      ...Object.entries(SUBFOLDER_PACKAGES)
        .filter(([folder]) => folder.startsWith(`${name}/`))
        .map(([folder, packageName]) => `\`${packageName}\` in \`${folder.slice(name.length + 1)}/\``),
      ...(system === 'io' ? ['system in `io/`'] : system ? ['system'] : []),
    ].join(', '),
  ]);
  return table(['room', 'contents', 'may use'], rows);
}
