// Compares whole builds with programs that make the same thumbnails, and answers with those of a dynamic service, in interleaved
// rounds of one run: `npm run bench -- --photos DIR`. Prints one table of ratios: they alone can be compared across machines.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import * as fs from 'node:fs';
import { createServer } from 'node:net';
import { cpus, tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import sharp from 'sharp';
import { themeFields, yamlOf } from '../test/theme-yaml.js';

/**
 * Seconds of processor time and the peak of the resident memory, both of all processes of a program.
 * @typedef {{ cpu: number, mebibytes: number }} Cost
 * @typedef {{ name: string, program: { command: readonly string[] }, before?: () => void | Promise<void> }} Contestant - `before` is not measured
 * @typedef {{ missing?: string | undefined, contestants: (themes: string, work: string) => Contestant[] }} Peer
 * @typedef {{ name: string, cells: readonly string[] }} Row
 */

const HELP = `Usage: npm run bench -- [--photos DIR] [--old-service DIR] [--modules DIR] [--sets SET,…] [--rounds N]

--photos DIR       A themes folder with photographs, for the sets of 12 and 48 themes.
--old-service DIR  A dynamic service with a run.sh THEMES PORT, for requests; needs wrk and nginx.
--modules DIR      A folder whose node_modules has @11ty/eleventy-img; else that peer is left out.
--sets SET,…       12, 48, 1000, 10000; all by default. 12 and 48 need --photos.
--rounds N         3 by default; 10000 has one round.

Peers that are not installed are named and left out (Debian: libvips-tools, hugo, wrk, nginx).
`;
const CLI = path.resolve(import.meta.dirname, '../lib/bundle/cli.js');
const FLOOR = 'bare sharp script';
/** Milliseconds after which file times are trusted: some file systems count in steps of two seconds. */
const SETTLED_MS = 3000;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    photos: { type: 'string' },
    'old-service': { type: 'string' },
    modules: { type: 'string' },
    sets: { type: 'string', default: '12,48,1000,10000' },
    rounds: { type: 'string', default: '3' },
    help: { type: 'boolean' },
  },
});
async function benchmark() {
  const work = fs.mkdtempSync(path.join(tmpdir(), 'themecast-bench-'));
  fs.chmodSync(work, 0o755); // nginx drops root privileges before it reads files.
  try {
    const sets = values.sets.split(',').filter((set) => Number(set) > 48 || values.photos !== undefined);
    const builds = [];
    for (const set of sets) builds.push(await measureSet(set, path.join(work, set)));
    const requests = await measureRequests(path.join(work, 'requests'));
    process.stdout.write(
      `${cpus().length} cores (${cpus()[0]?.model.trim()}), Node.js ${process.versions.node}, ${new Date().toISOString().slice(0, 10)}\n\n` +
        `${table(
          'CPU · peak memory',
          sets.map((set) => `${set} themes`),
          joined(builds),
        )}\n${requests}`,
    );
  } finally {
    fs.rmSync(work, { recursive: true, force: true });
  }
}

/** @param {string} corner @param {readonly string[]} columns @param {readonly Row[]} rows */
function table(corner, columns, rows) {
  const lines = [
    [corner, ...columns],
    ['', ...columns].map(() => '---'),
    ...rows.map(({ name, cells }) => [name, ...cells]),
  ];
  return lines.map((cells) => `| ${cells.join(' | ')} |\n`).join('');
}

/**
 * Returns the rows of all sets, each with a cell per set.
 * @param {readonly Row[][]} sets
 * @returns {Row[]}
 */
function joined(sets) {
  const names = new Set(sets.flat().map(({ name }) => name));
  return [...names].map((name) => ({
    name,
    cells: sets.map((rows) => rows.find((row) => row.name === name)?.cells[0] ?? '–'),
  }));
}

/** @param {string} set @param {string} work @returns {Promise<Row[]>} */
async function measureSet(set, work) {
  // In a folder of its own: stores are not kept in the folder of the checkout.
  const themes = path.join(work, 'checkout/themes');
  fs.mkdirSync(path.dirname(themes), { recursive: true });
  if (Number(set) > 48) await writeSmallThemes(themes, Number(set));
  else await writePhotoThemes(values.photos ?? '', themes, Number(set));
  const contestants = scenarios(themes, work);
  for (const [name, peer] of Object.entries(PEERS)) {
    if (peer.missing === undefined) contestants.push(...peer.contestants(themes, work));
    else process.stderr.write(`${name}: ${peer.missing}\n`);
  }
  const costs = contestants.map(() => /** @type {Cost[]} */ ([]));
  for (let round = 0; round < (set === '10000' ? 1 : Number(values.rounds)); round++) {
    for (const [index, { name, program, before }] of contestants.entries()) {
      await before?.();
      spawnSync('sync'); // Otherwise the kernel would write back earlier files during the measurement.
      const cost = await measure(program);
      costs[index]?.push(cost);
      process.stderr.write(`${set}  ${name}  CPU ${cost.cpu.toFixed(2)} s, ${cost.mebibytes.toFixed(0)} MiB\n`);
    }
  }
  const floor = costs[contestants.findIndex(({ name }) => name === FLOOR)] ?? [];
  return contestants.map(({ name }, index) => ({ name, cells: [cellOf(costs[index] ?? [], floor)] }));
}

/** @param {readonly Cost[]} costs @param {readonly Cost[]} floor - of the same rounds */
function cellOf(costs, floor) {
  if (costs === floor)
    return `${median(costs.map(({ cpu }) => cpu)).toFixed(1)} s · ${median(costs.map(({ mebibytes }) => mebibytes)).toFixed(0)} MiB`;
  const ratio = (/** @type {keyof Cost} */ metric) =>
    median(costs.map((cost, round) => cost[metric] / (floor[round]?.[metric] ?? Number.NaN)));
  return `${ratio('cpu').toFixed(2)} × · ${ratio('mebibytes').toFixed(2)} ×`;
}

/** @param {readonly number[]} numbers */
function median(numbers) {
  const sorted = numbers.toSorted((a, b) => a - b);
  const [low = Number.NaN, high = low] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]];
  return (low + high) / 2;
}

/**
 * Returns the builds of one site: each leaves what the next one starts from.
 * @param {string} themes
 * @param {string} work
 * @returns {Contestant[]}
 */
function scenarios(themes, work) {
  const build = (/** @type {string} */ site) => ({
    command:
      `env XDG_STATE_HOME=${work}/${site}-state ${process.execPath} ${CLI} build --quiet --themes ${themes} --out ${work}/${site}/dist --edge-out ${work}/${site}/edge --cache ${work}/${site}/cache`.split(
        ' ',
      ),
  });
  const [warm, cold] = [build('warm'), build('cold')];
  const slugs = fs.readdirSync(themes, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const yaml = path.join(
    themes,
    slugs
      .map(({ name }) => name)
      .toSorted()
      .at(-1) ?? '',
    'theme.yaml',
  );
  let edit = 0;
  return [
    {
      name: 'themecast, cold',
      program: cold,
      before: () => ['cold', 'cold-state'].forEach((folder) => moveAside(path.join(work, folder))),
    },
    {
      name: 'themecast, nothing changed',
      program: warm,
      before: async () => {
        for (let build = 0; build < 2; build++) {
          await measure(warm);
          await delay(SETTLED_MS);
        }
      },
    },
    {
      name: 'themecast, one YAML changed',
      program: warm,
      before: () =>
        fs.writeFileSync(yaml, fs.readFileSync(yaml, 'utf8').replace(/^name: .*$/m, `name: Edit ${++edit}`)),
    },
    { name: 'themecast, fresh checkout', program: warm, before: () => checkOut(themes) },
    {
      name: 'themecast, fresh checkout without output',
      program: warm,
      before: () => {
        checkOut(themes);
        for (const output of ['dist', 'edge']) moveAside(path.join(work, 'warm', output));
      },
    },
  ];
}

/** Replaces every file with an identical copy, as a clone does. @param {string} themes */
function checkOut(themes) {
  execFileSync('cp', ['-r', themes, `${themes}.new`]);
  moveAside(themes);
  fs.renameSync(`${themes}.new`, themes);
}

/** Moves a folder away: an ext4 without a journal skips inodes freed in the last minutes, which takes longer than a build. @param {string} folder */
function moveAside(folder) {
  if (fs.existsSync(folder)) fs.renameSync(folder, `${folder}.${process.hrtime.bigint()}`);
}

/**
 * Programs that make the same thumbnails, copy and hash all files, check nothing and write no documents.
 * @type {Readonly<Record<string, Peer>>}
 */
const PEERS = {
  [FLOOR]: {
    contestants: (themes, work) => [
      fromNothing(
        FLOOR,
        themes,
        work,
        (list, out) => `${process.execPath} ${import.meta.filename} '${FLOOR}' ${list} ${out}`,
      ),
    ],
  },
  vipsthumbnail: {
    missing: missingCommand('vipsthumbnail'),
    contestants: (themes, work) => [
      fromNothing('vipsthumbnail', themes, work, (list, out) => {
        const run = (/** @type {string} */ kind, /** @type {string} */ flags) =>
          `sed -n 's#^${kind} ${themes}#${out}/originals#p' ${list} | VIPS_CONCURRENCY=1 xargs -r -P2 -n$(($(wc -l <${list}) / 8 + 1)) vipsthumbnail ${flags}`;
        return `${run('j', "--size '2200x2200>' -o 't-%s.jpg[Q=80,optimize_coding,strip]'")}; ${run('p', "--size '250x250>' -o 't-%s.png[compression=9,strip]'")}`;
      }),
    ],
  },
  'eleventy-img': {
    missing: values.modules === undefined ? 'no --modules' : undefined,
    contestants: (themes, work) => {
      const run = (/** @type {string} */ list, /** @type {string} */ out) =>
        `cd '${values.modules}' && ${process.execPath} ${import.meta.filename} eleventy-img ${list} ${out}/thumbnails`;
      const out = path.join(work, 'eleventy-img');
      return [
        fromNothing('eleventy-img', themes, work, (list, target) => `(${run(list, target)})`),
        { name: 'eleventy-img, nothing changed', program: { command: ['bash', '-c', run(`${out}.list`, out)] } },
      ];
    },
  },
  Hugo: {
    missing: missingCommand('hugo'),
    contestants: (themes, work) => {
      const site = path.join(work, 'hugo');
      const program = { command: ['hugo', '--quiet', '--source', site, '--cacheDir', path.join(site, 'cache')] };
      return [
        { name: 'Hugo', program, before: () => writeHugoSite(site, themes) },
        { name: 'Hugo, nothing changed', program },
      ];
    },
  },
};

/** @param {string} name */
function missingCommand(name) {
  return spawnSync('bash', ['-c', 'command -v "$1"', 'bash', name]).status === 0 ? undefined : 'not installed';
}

/**
 * Returns a peer that starts with a copy of all files and a list of the images that have a thumbnail: `p` or `j` (PNG of 250×250, JPEG
 * of 2200×2200), a space, and the path; `-` for those that are only decoded.
 * @param {string} name
 * @param {string} themes
 * @param {string} work
 * @param {(list: string, out: string) => string} render - a command of the shell
 * @returns {Contestant}
 */
function fromNothing(name, themes, work, render) {
  const out = path.join(work, name.replaceAll(' ', '-'));
  const list = `${out}.list`;
  const script = `set -e; cp -r ${themes} ${out}/originals; ${render(list, out)}; find ${out} -type f -exec sha256sum {} + >/dev/null`;
  return {
    name,
    program: { command: ['bash', '-c', script] },
    before: () => {
      moveAside(out);
      fs.mkdirSync(out);
      fs.writeFileSync(list, imageList(themes).join(''));
    },
  };
}

/** @param {string} themes */
function imageList(themes) {
  const images = fs
    .readdirSync(themes, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(?:png|jpe?g|webp|gif|avif|svg)$/.test(file));
  return images.toSorted().map((file) => {
    const kind = /banner[^/]*\.(?:png|jpe?g|webp)$/.test(file) ? 'j' : /logo-site\.(?:png|svg)$/.test(file) ? 'p' : '-';
    return `${kind} ${path.join(themes, file)}\n`;
  });
}

/**
 * The floor of a build that publishes nothing undecodable: decodes every image, and makes the thumbnails, two at a time with one thread.
 * @param {string} list
 * @param {string} out
 */
async function makeThumbnails(list, out) {
  sharp.cache(false);
  sharp.concurrency(1);
  const queue = fs.readFileSync(list, 'utf8').trim().split('\n').entries();
  const work = async () => {
    for (const [index, line] of queue) {
      const [kind, file] = [line[0], line.slice(2)];
      const [box, withoutEnlargement] = [kind === 'j' ? 2200 : 250, !file.endsWith('.svg')];
      const image = sharp(file, { limitInputPixels: false })
        .autoOrient()
        .resize({ width: box, height: box, fit: 'inside', withoutEnlargement });
      if (kind === '-') await image.raw().toBuffer();
      else if (kind === 'j') await image.jpeg({ quality: 80 }).toFile(`${out}/${index}.jpg`);
      else await image.png({ compressionLevel: 9 }).toFile(`${out}/${index}.png`);
    }
  };
  await Promise.all([work(), work()]);
}

/** @param {string} list @param {string} outputDir */
async function makeWithEleventy(list, outputDir) {
  /** @type {{ default: (file: string, options: object) => Promise<unknown> }} */
  const { default: image } = await import(path.resolve('node_modules/@11ty/eleventy-img/img.js'));
  const lines = fs.readFileSync(list, 'utf8').trim().split('\n');
  const made = lines.map((line) => {
    if (line.startsWith('j'))
      return image(line.slice(2), { outputDir, formats: ['jpeg'], widths: [2200], sharpJpegOptions: { quality: 80 } });
    return line.startsWith('p')
      ? image(line.slice(2), { outputDir, formats: ['png'], widths: [250] })
      : Promise.resolve();
  });
  await Promise.all(made);
}

/**
 * Writes a site of one page, which names the hashed original and the thumbnail of each image.
 * @param {string} site
 * @param {string} themes
 */
function writeHugoSite(site, themes) {
  moveAside(site);
  for (const folder of ['layouts', 'assets']) fs.mkdirSync(path.join(site, folder), { recursive: true });
  execFileSync('cp', ['-r', themes, path.join(site, 'assets/themes')]);
  fs.writeFileSync(
    path.join(site, 'config.toml'),
    'baseURL = "https://community.example.org/"\ndisableKinds = ["taxonomy", "term", "RSS", "sitemap"]\n',
  );
  const page = `{{ range resources.Match "themes/**" }}{{ $f := . | fingerprint }}{{ $f.RelPermalink }}
{{ if and (in .Name "banner") (ne .MediaType.SubType "svg") }}{{ (.Fit "2200x2200 jpg q80").RelPermalink }}{{ end }}
{{ if and (in .Name "logo-site") (ne .MediaType.SubType "svg") }}{{ (.Fit "250x250 png").RelPermalink }}{{ end }}{{ end }}`;
  fs.writeFileSync(path.join(site, 'layouts/index.html'), page);
}

/** Runs a program. bash's `time` includes all awaited descendants. @param {Contestant['program']} program @returns {Promise<Cost>} */
async function measure({ command }) {
  const timed = 'TIMEFORMAT="%3U %3S"; { time "$@" 2>&3; } 3>&2 2>&4';
  const child = spawn('bash', ['-c', timed, 'bash', ...command], {
    stdio: ['ignore', 'ignore', 'inherit', 'ignore', 'pipe'],
  });
  let times = '';
  child.stdio[4]?.on('data', (/** @type {Buffer} */ chunk) => (times += chunk.toString()));
  const closed = once(child, 'close');
  let peak = 0;
  while (child.exitCode === null && child.signalCode === null) {
    peak = Math.max(peak, residentBytes(child.pid ?? 0));
    await Promise.race([delay(20), closed]);
  }
  await closed;
  if (child.exitCode !== 0) throw new Error(`\`${command.join(' ').slice(0, 300)}\` ended with ${child.exitCode}.`);
  const [user = 0, system = 0] = times.trim().split(' ').map(Number);
  return { cpu: user + system, mebibytes: peak / 2 ** 20 };
}

/**
 * Returns the resident memory of a process and all its descendants.
 * @param {number} pid
 * @returns {number}
 */
function residentBytes(pid) {
  try {
    const [, pages = '0'] = fs.readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ');
    const children = fs
      .readdirSync(`/proc/${pid}/task`)
      .flatMap((task) =>
        fs.readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').trim().split(' ').filter(Boolean),
      );
    return Number(pages) * 4096 + children.reduce((sum, child) => sum + residentBytes(Number(child)), 0);
  } catch {
    return 0; // The process has exited.
  }
}

/**
 * Writes the themes of a folder as often as needed, with unique ids and slugs; the pixels of all copies differ.
 * @param {string} photos
 * @param {string} target
 * @param {number} count
 */
async function writePhotoThemes(photos, target, count) {
  fs.mkdirSync(target);
  const entries = fs.readdirSync(photos, { withFileTypes: true });
  const slugs = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  for (const { name } of entries.filter((entry) => entry.isFile()))
    fs.copyFileSync(path.join(photos, name), path.join(target, name));
  for (let index = 0; index < count; index++) {
    const [slug = '', copy] = [slugs[index % slugs.length], Math.floor(index / slugs.length)];
    const folder = path.join(target, copy === 0 ? slug : `${slug}-${copy}`);
    fs.mkdirSync(folder);
    for (const file of fs.readdirSync(path.join(photos, slug))) {
      const bytes = fs.readFileSync(path.join(photos, slug, file));
      const changed = file === 'theme.yaml' ? renumber(bytes.toString(), index + 1, copy) : variant(bytes, file, copy);
      fs.writeFileSync(path.join(folder, file), await changed);
    }
  }
}

/** @param {string} yaml @param {number} id - 1 is the default theme @param {number} copy */
function renumber(yaml, id, copy) {
  const lines = yaml.split('\n').filter((line) => !/^(?:id|is_default):/.test(line));
  const renamed = lines.map((line) => (copy === 0 ? line : line.replace(/^name: ["']?/, `$&${copy} `)));
  return [`id: ${id}`, `is_default: ${id === 1}`, ...renamed].join('\n');
}

/**
 * Returns the same image with other pixels.
 * @param {Buffer} bytes
 * @param {string} file
 * @param {number} copy - 0 is the image itself
 */
async function variant(bytes, file, copy) {
  const extension = path.extname(file);
  if (copy === 0) return bytes;
  if (extension === '.svg')
    return bytes.toString().replace(/<\/svg>\s*$/, `<path d="M0 0h${copy}" fill="none"/></svg>\n`);
  const changed = sharp(bytes)
    .autoOrient()
    .toColourspace('srgb')
    .modulate({ hue: 40 * copy, lightness: copy });
  if (extension === '.png') return changed.png({ compressionLevel: 7 }).toBuffer();
  return extension === '.webp'
    ? changed.webp({ quality: 92, effort: 2 }).toBuffer()
    : changed.jpeg({ quality: 95 }).toBuffer();
}

/** Writes themes with seven small images, no two alike. @param {string} target @param {number} count */
async function writeSmallThemes(target, count) {
  fs.mkdirSync(target, { recursive: true });
  fs.writeFileSync(path.join(target, 'site.yaml'), 'base_url: https://community.example.org\n');
  const fields = {
    favicon: 'favicon.png',
    logo: 'logo.svg',
    logo_inverse: 'logo-inverse.svg',
    logo_site: 'logo-site.png',
    default_group_banner: 'group-banner.jpg',
    default_event_banner: 'event-banner.jpg',
    default_user_profile_banner: 'user-profile-banner.jpg',
  };
  for (let index = 0; index < count; index++) {
    const slug = `theme-${String(index + 1).padStart(5, '0')}`;
    const write = (/** @type {string} */ name, /** @type {string | Buffer} */ bytes) =>
      fs.writeFileSync(path.join(target, slug, name), bytes);
    fs.mkdirSync(path.join(target, slug));
    write('theme.yaml', yamlOf(themeFields(slug, index, { name: `Theme ${index + 1}`, ...fields })));
    for (const [place, name] of Object.values(fields).entries()) write(name, await smallImage(name, 7 * index + place));
  }
}

/** @param {string} name @param {number} number - below 2¹⁸; no two images with different numbers are equal */
function smallImage(name, number) {
  const fill = number.toString(16).padStart(6, '0');
  const bars = Array.from({ length: 12 }, (_, bar) => `<path d="M${4 + bar * 10} 4h7v${8 + ((bar * 5) % 31)}h-7z"/>`);
  if (name.endsWith('.svg'))
    return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 128 48" fill="#${fill}">\n${bars.join('\n')}\n</svg>\n`;
  const [width, height] = name === 'favicon.png' ? [32, 32] : name === 'logo-site.png' ? [400, 160] : [320, 180];
  const pixels = Buffer.from(
    Array.from({ length: width * height * 3 }, (_, at) => ((at * 7) % 16) * 8 + ((number >> (6 * (at % 3))) & 63)),
  );
  const image = sharp(pixels, { raw: { width, height, channels: 3 } });
  return (name.endsWith('.png') ? image.png({ palette: true, dither: 0 }) : image.jpeg({ quality: 95 })).toBuffer();
}

/**
 * Measures requests per second, by 50 users in turn: of nginx with the generated rules, and of a dynamic service.
 * @param {string} work
 */
async function measureRequests(work) {
  const missing = values['old-service'] === undefined ? 'no --old-service' : missingCommand('wrk');
  if (missing !== undefined) return `Requests were not measured: ${missing}.\n`;
  const users = Array.from({ length: 50 }, (_, index) => `u-${100_000 + index * 37}`);
  const [themes, port, oldPort] = [path.join(work, 'themes'), await freePort(), await freePort()];
  await writeSmallThemes(themes, 12);
  const rows = users.map((user, index) => `${user},theme-${String(2 + (index % 11)).padStart(5, '0')}\n`);
  fs.writeFileSync(path.join(themes, 'users.csv'), `user,theme\n${rows.join('')}`);
  fs.writeFileSync(
    path.join(themes, 'site.yaml'),
    `base_url: http://127.0.0.1:${port}\nedge: [nginx]\nidentity:\n  - user: { cookie: uid }\n` +
      `origin:\n  listen: "127.0.0.1:${port}"\n  document_root: ${work}/dist\n`,
  );
  execFileSync(process.execPath, [CLI, 'build', '--quiet'], { cwd: work });
  const servers = [startNginx(work), startOldService(themes, work, oldPort)];
  try {
    const header = [
      (/** @type {string} */ user) => `["Cookie"] = "uid=${user}"`,
      (/** @type {string} */ user) => `["Authorization"] = "Token ${createHash('sha1').update(user).digest('hex')}"`,
    ];
    const perSecond = /** @type {number[][]} */ ([]);
    for (const [index, at] of [port, oldPort].entries()) {
      const url = `http://127.0.0.1:${at}`;
      await untilAnswered(`${url}/api/v2/theme/config/`);
      perSecond.push([
        loadOf(url, '/api/v2/theme/config/', ['["X-Anonymous"] = "1"'], work),
        loadOf(
          url,
          '/api/v2/theme/config/',
          users.map((user) => header[index]?.(user) ?? ''),
          work,
        ),
        loadOf(url, '/api/v2/theme/', ['["X-Anonymous"] = "1"'], work),
      ]);
    }
    return table(
      'requests per second',
      ['nginx with the generated rules', 'dynamic service', 'ratio'],
      ['CONFIG, anonymous', 'CONFIG, of a user', 'LIST'].map((name, request) => {
        const [ours = 0, old = 0] = perSecond.map((rates) => rates[request]);
        return { name, cells: [ours.toFixed(0), old.toFixed(0), `${(ours / old).toFixed(0)} ×`] };
      }),
    );
  } finally {
    for (const server of servers) {
      server.kill('SIGTERM');
      await once(server, 'exit');
    }
  }
}

/** Installs the rules as their README says. @param {string} site */
function startNginx(site) {
  const prefix = path.join(site, 'nginx');
  fs.mkdirSync(prefix);
  fs.cpSync(path.join(site, 'edge/nginx'), path.join(prefix, 'themecast'), { recursive: true });
  const folders = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${name};`);
  fs.writeFileSync(
    path.join(prefix, 'nginx.conf'),
    `daemon off;\npid nginx.pid;\nworker_processes auto;\n${process.getuid?.() === 0 ? 'user nobody nogroup;\n' : ''}events {}
http {\naccess_log off;\n${folders.join('\n')}\ninclude themecast/hash.conf;\ninclude themecast/theme-service.conf;\n}\n`,
  );
  return spawn('/usr/sbin/nginx', ['-p', prefix, '-c', path.join(prefix, 'nginx.conf'), '-e', `${prefix}/error.log`]);
}

/** @param {string} themes @param {string} work @param {number} port */
function startOldService(themes, work, port) {
  const env = { ...process.env, OLD_SERVICE_DATA: path.join(work, 'old-service'), OLD_SERVICE_VARIANT: 'token' };
  return spawn('sh', [path.resolve(values['old-service'] ?? '', 'run.sh'), themes, String(port)], { env });
}

/** Waits at most a minute: a dynamic service creates its database first. @param {string} url */
async function untilAnswered(url) {
  for (const end = Date.now() + 60_000; ; await delay(100)) {
    const response = await fetch(url).catch(() => undefined);
    if (response?.status === 200) return;
    if (Date.now() > end) throw new Error(`${url} does not answer.`);
  }
}

/**
 * Returns requests per second of a path, by each requester in turn.
 * @param {string} server
 * @param {string} url
 * @param {readonly string[]} headers - each one entry of a table in Lua
 * @param {string} work
 */
function loadOf(server, url, headers, work) {
  const script = path.join(work, 'requests.lua');
  const all = headers.map((header) => `wrk.format("GET", "${url}", {["Accept"] = "application/json", ${header}})`);
  fs.writeFileSync(
    script,
    `local all = {}\nlocal at = 0\ninit = function() all = {${all.join(', ')}} end
request = function() at = at % #all + 1; return all[at] end\n`,
  );
  const { stdout } = spawnSync('wrk', ['-t1', '-c16', '-d5s', '-s', script, server], { encoding: 'utf8' });
  const failed = /Non-2xx or 3xx responses: \d+|Socket errors: .*/.exec(stdout)?.[0];
  const perSecond = /Requests\/sec: +([\d.]+)/.exec(stdout)?.[1];
  if (failed !== undefined || perSecond === undefined) throw new Error(`wrk: ${failed ?? stdout}`);
  return Number(perSecond);
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

if (values.help) process.stdout.write(HELP);
else if (positionals[0] === FLOOR) await makeThumbnails(positionals[1] ?? '', positionals[2] ?? '');
else if (positionals[0] === 'eleventy-img') await makeWithEleventy(positionals[1] ?? '', positionals[2] ?? '');
else await benchmark();
