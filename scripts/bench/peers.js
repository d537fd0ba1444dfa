// Peers: programs that make the same thumbnails, and copy and hash all files, but check nothing and write no documents.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { moveAside } from './aside.js';
import { isOnPath } from './measure.js';

/** @typedef {import('./rounds.js').Contestant} Contestant */

/**
 * A peer, or why it is missing.
 * @typedef {{ name: string, missing: string | undefined, contestants: (themes: string, work: string) => Contestant[] }} Peer
 */

const DIRECTORY = import.meta.dirname;
const LIBVIPS = path.resolve(DIRECTORY, '../../node_modules/@img');
/** The system's interpreter: Debian's packages do not work with another `python3` on the path. */
const PYTHON = '/usr/bin/python3';

/**
 * @param {string} work - the folder for peers that must be compiled or installed
 * @param {{ modules: string | undefined, quick: boolean }} options - a folder whose node_modules has @11ty/eleventy-img; whether only the
 * fastest are needed
 * @returns {Peer[]}
 */
export function peers(work, { modules, quick }) {
  const fastest = [cProgram(work), bareSharp(), vipsthumbnail()];
  return quick ? fastest : [...fastest, eleventyImage(work, modules), hugo(), pillow()];
}

/**
 * Lists the images with thumbnails, one per line: `p` or `j` (PNG of 250x250, JPEG of 2200x2200), a space, and the path.
 * @param {string} themes
 */
function imageList(themes) {
  const files = readdirSync(themes, { recursive: true, encoding: 'utf8' }).toSorted();
  return files.flatMap((file) => {
    const kind = /banner[^/]*\.(?:png|jpe?g|webp)$/.test(file)
      ? 'j'
      : /logo-site\.(?:png|svg)$/.test(file)
        ? 'p'
        : undefined;
    return kind === undefined ? [] : [`${kind} ${path.join(themes, file)}\n`];
  });
}

/**
 * Returns a peer that starts from nothing: a folder `out` with the list of images and a copy of all files, in which `render` makes
 * thumbnails.
 * @param {string} name
 * @param {string} themes
 * @param {string} work
 * @param {(list: string, out: string) => string} render - a command of the shell
 * @returns {Contestant}
 */
function peerFromNothing(name, themes, work, render) {
  const [list, out] = [path.join(work, `${name}.list`), path.join(work, name)];
  const script = `set -e; cp -r '${themes}' '${out}/originals'; ${render(`'${list}'`, `'${out}'`)}
    find '${out}' -type f -exec sha256sum {} + >/dev/null`;
  return {
    name: `${name} + cp + sha256sum`,
    program: { command: ['bash', '-c', script], env: { VIPS_WARNING: '0' } },
    opens: false,
    before: () => {
      moveAside(out);
      mkdirSync(out, { recursive: true });
      writeFileSync(list, imageList(themes).join(''));
    },
  };
}

/**
 * Returns a C program on the libvips of sharp, or on the system's.
 * @param {string} work
 * @returns {Peer}
 */
function cProgram(work) {
  const name = 'C program';
  const program = path.join(work, 'floor');
  const flags = spawnSync('pkg-config', ['--cflags', 'vips'], { encoding: 'utf8' });
  const missing = !isOnPath('cc')
    ? 'no C compiler'
    : flags.status === 0
      ? undefined
      : 'no headers of libvips (Debian: libvips-dev)';
  if (missing === undefined) {
    const source = path.join(DIRECTORY, 'floor.c');
    execFileSync('cc', ['-O2', '-o', program, source, ...flags.stdout.trim().split(/\s+/), ...linkerArguments()]);
  }
  return {
    name,
    missing,
    contestants: (themes, folder) => [
      peerFromNothing(name, themes, folder, (list, out) => `${program} ${out} <${list};`),
    ],
  };
}

/** Arguments of the linker. */
function linkerArguments() {
  const [library] = existsSync(LIBVIPS)
    ? readdirSync(LIBVIPS, { recursive: true, encoding: 'utf8' }).filter((file) =>
        /libvips-cpp\.so\.[\d.]+$/.test(file),
      )
    : [];
  if (library === undefined) {
    return execFileSync('pkg-config', ['--libs', 'vips'], { encoding: 'utf8' }).trim().split(/\s+/);
  }
  const file = path.join(LIBVIPS, library);
  return [file, `-Wl,-rpath,${path.dirname(file)}`];
}

/** @returns {Peer} */
function bareSharp() {
  const name = 'bare sharp script';
  const script = path.join(DIRECTORY, 'bare-sharp.js');
  return {
    name,
    missing: undefined,
    contestants: (themes, folder) => [
      peerFromNothing(
        name,
        themes,
        folder,
        (list, out) => `'${process.execPath}' '${script}' '${themes}' ${out} <${list};`,
      ),
    ],
  };
}

/** @returns {Peer} */
function vipsthumbnail() {
  const name = 'vipsthumbnail';
  const pipeline = (/** @type {string} */ kind, /** @type {string} */ list, /** @type {string} */ flags) =>
    `sed -n 's/^${kind} //p' ${list} | VIPS_CONCURRENCY=1 xargs -r -P2 -n$(($(wc -l <${list}) / 8 + 1)) vipsthumbnail ${flags}`;
  return {
    name,
    missing: isOnPath(name) ? undefined : 'not installed (Debian: libvips-tools)',
    contestants: (themes, folder) => [
      peerFromNothing(
        name,
        themes,
        folder,
        // Each theme has its own folder of thumbnails.
        (list) => `sed -i 's# ${themes}/# ${path.join(folder, name)}/originals/#' ${list}
          ${pipeline('j', list, "--size '2200x2200>' -o 't-%s.jpg[Q=80,optimize_coding,strip]'")}
          ${pipeline('p', list, "--size '250x250>' -o 't-%s.png[compression=9,strip]'")};`,
      ),
    ],
  };
}

/**
 * @param {string} work
 * @param {string | undefined} modules
 * @returns {Peer}
 */
function eleventyImage(work, modules) {
  const name = 'eleventy-img';
  const packageName = '@11ty/eleventy-img';
  const folder = modules ?? path.join(work, 'peers');
  if (modules === undefined) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(folder, 'package.json'), '{}');
    const flags = ['install', '--ignore-scripts', '--no-audit', '--no-fund', `${packageName}@6.0.4`];
    spawnSync('npm', flags, { cwd: folder, stdio: 'ignore' });
  }
  const isInstalled = existsSync(path.join(folder, 'node_modules', packageName));
  const command = (/** @type {string} */ list, /** @type {string} */ out) =>
    `cd '${folder}' && '${process.execPath}' '${path.join(DIRECTORY, 'eleventy.js')}' ${list} ${out}`;
  return {
    name,
    missing: isInstalled ? undefined : `${packageName} is neither in --peers nor on the network`,
    contestants: (themes, site) => {
      const cold = peerFromNothing(name, themes, site, (list, out) => `(${command(list, `${out}/thumbnails`)});`);
      const [list, out] = [path.join(site, `${name}.list`), path.join(site, name, 'thumbnails')];
      return [
        cold,
        { name: `${name}, nothing changed`, program: { command: ['bash', '-c', command(`'${list}'`, `'${out}'`)] } },
      ];
    },
  };
}

/** @returns {Peer} */
function hugo() {
  return {
    name: 'Hugo',
    missing: isOnPath('hugo') ? undefined : 'not installed (Debian: hugo)',
    contestants: (themes, work) => {
      const site = path.join(work, 'hugo');
      const program = { command: ['hugo', '--quiet', '--source', site, '--cacheDir', path.join(site, 'cache')] };
      return [
        { name: 'Hugo', program, opens: false, before: () => writeHugoSite(site, themes) },
        { name: 'Hugo, nothing changed', program },
      ];
    },
  };
}

/**
 * Writes a site of one page, which refers to the hashed original and the thumbnail of each image.
 * @param {string} site
 * @param {string} themes
 */
function writeHugoSite(site, themes) {
  moveAside(site);
  for (const folder of ['layouts', 'assets']) mkdirSync(path.join(site, folder), { recursive: true });
  execFileSync('cp', ['-r', themes, path.join(site, 'assets/themes')]);
  writeFileSync(
    path.join(site, 'config.toml'),
    'baseURL = "https://community.example.org/"\ndisableKinds = ["taxonomy", "term", "RSS", "sitemap"]\n',
  );
  const page = `{{ range resources.Match "themes/**" }}{{ $f := . | fingerprint }}{{ $f.RelPermalink }}
{{ if and (in .Name "banner") (ne .MediaType.SubType "svg") }}{{ (.Fit "2200x2200 jpg q80").RelPermalink }}{{ end }}
{{ if and (in .Name "logo-site") (ne .MediaType.SubType "svg") }}{{ (.Fit "250x250 png").RelPermalink }}{{ end }}{{ end }}`;
  writeFileSync(path.join(site, 'layouts/index.html'), page);
}

/** @returns {Peer} */
function pillow() {
  const name = 'Pillow';
  return {
    name,
    missing: spawnSync(PYTHON, ['-c', 'import PIL']).status === 0 ? undefined : 'not installed (Debian: python3-pil)',
    contestants: (themes, work) => [
      peerFromNothing(
        name,
        themes,
        work,
        (list, out) => `${PYTHON} '${path.join(DIRECTORY, 'pillow.py')}' ${out} <${list};`,
      ),
    ],
  };
}
