// The last step of `npm run compile`: bundles the entries of `lib/` with the packages that they use into `lib/bundle/`, which is what is packed,
// since loading hundreds of files takes time: measured, a build after the change of one theme of twelve takes 0.6 of the processor time. Only
// sharp, with its addon, stays outside. Writes `lib/THIRD-PARTY.md`, the versions and licences of what is inside; `dependencies` names it too, so
// that audits find it.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { rolldown } from 'rolldown';

const LIB = path.resolve(import.meta.dirname, '../lib');
const ENTRIES = { cli: 'cli.js', index: 'index.js', child: 'system/decoder/child.js' };
/** Loaded by decoders alone: the first loads sharp; the second, for some drawings, has its imports in a chunk with the checks of SVG. */
const [DRAW, RENDERER] = ['system/decoder/draw.js', 'core/image/svg/for-renderer.js'];
/**
 * One chunk each: what a decoder needs for all images, and for some drawings; what every command needs; what a build needs that finds nothing
 * changed, with its report; and what it needs for a change of themes and of images. Measured: a decoder that also loads what checks themes takes
 * twice the time to start.
 */
const GROUPS = {
  decoder: ['system/decoder/child.js', DRAW],
  colour: ['core/theme/colour/colour.js'],
  drawings: [RENDERER],
  start: ['cli.js', 'commands/build/command.js'],
  unchanged: [
    'compiler/build.js',
    'compiler/store-flags.js',
    'compiler/source-text.js',
    'core/diagnostics/format-report.js',
  ],
  compile: ['compiler/compile-and-publish.js', 'compiler/compile/compile-theme.js'],
  images: ['compiler/compile/compile-images.js'],
};

/**
 * Returns modules of `lib/` with everything that they import, statically.
 * @param {readonly string[]} names
 */
function withImports(names) {
  const found = new Set(names);
  for (const name of found)
    for (const [, specifier = ''] of readFileSync(path.join(LIB, name), 'utf8').matchAll(/^import .*'(\.[^']+)';$/gm))
      found.add(path.posix.join(path.posix.dirname(name), specifier));
  return found;
}

const own = Object.entries(GROUPS).map(([name, roots], at) => {
  // Without the entries: the chunks of all entries share code.
  const names = [...withImports(roots)].filter(
    (module) => ![...Object.values(ENTRIES), DRAW, RENDERER].includes(module),
  );
  const modules = new Set(names.map((module) => path.join(LIB, module)));
  return { name, priority: 99 - at, test: (/** @type {string} */ id) => modules.has(id) };
});
const packages = ['culori', 'saxes', 'yaml', 'zod'].map((name) => ({
  name,
  priority: 100,
  test: `/node_modules/${name}/`,
}));
const bundle = await rolldown({
  input: Object.fromEntries(Object.entries(ENTRIES).map(([name, module]) => [name, path.join(LIB, module)])),
  external: ['sharp'],
  platform: 'node',
  checks: { ineffectiveDynamicImport: false },
  plugins: [
    {
      name: 'places',
      // Templates, style sheets and the decoder are found from the place of the module.
      transform(code, id) {
        if (!id.startsWith(LIB) || !code.includes('import.meta.url')) return undefined;
        const place = JSON.stringify(path.join('..', path.relative(LIB, id)));
        return code.replaceAll('import.meta.url', `new URL(${place}, import.meta.url).href`);
      },
    },
  ],
});
const { output } = await bundle.write({ dir: `${LIB}/bundle`, codeSplitting: { groups: [...own, ...packages] } });
await bundle.close();

const modules = output.flatMap((file) => (file.type === 'chunk' ? Object.keys(file.modules) : []));
const folders = new Set(modules.flatMap((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id)?.[0] ?? []));
const texts = [...folders].toSorted().map((folder) => {
  const { name, version, license } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  const text = file === undefined ? '' : readFileSync(path.join(folder, file), 'utf8').trim();
  return `\n## ${name} ${version}: ${license}\n\n${text.replaceAll(/^/gm, '    ')}\n`;
});
writeFileSync(`${LIB}/THIRD-PARTY.md`, `# Packages in \`bundle/\`, with their licences\n${texts.join('')}`);
