// Parses the command line of `npm run bench`.
import { parseArgs } from 'node:util';
import { SETS } from './themes.js';

/** @typedef {import('./themes.js').SetName} SetName */

/** Sections besides the sets of themes. */
const SECTIONS = ['commands', 'users', 'million', 'requests', 'dev'];
const QUICK = ['photos-12', 'small-1000', 'commands'];

export const HELP = `Usage: npm run bench [-- FLAGS]

  --only NAME,…      measure only these: ${[...Object.keys(SETS), ...SECTIONS].join(', ')}
  --rounds N         rounds per contestant; by default 5 for small sets, 1 for the largest
  --photos DIR       the themes folder that the photos-… sets are made from
  --peers DIR        a folder whose node_modules has @11ty/eleventy-img; by default, it is installed into a temporary folder
  --old-service DIR  a dynamic service with a run.sh, to compare requests with
  --work DIR         the folder for temporary files (10 GB); by default the system's
  --json FILE        also write the results as JSON
  --from FILE,…      measure nothing: read results written by --json; of repeated measurements, the first is used
  --docs             write the tables into docs/benchmarks.md
  --quick            three rounds of ${QUICK.join(', ')}; compare the ratios with scripts/bench/baseline.json, exit code 1 if worse
  --accept           save the ratios of a quick run as the new baseline
`;

/**
 * @typedef {object} Options
 * @property {readonly string[]} names - of sets and sections
 * @property {number | undefined} rounds
 * @property {string | undefined} photos
 * @property {string | undefined} peers
 * @property {string | undefined} oldService
 * @property {string | undefined} work
 * @property {string | undefined} json
 * @property {readonly string[]} from
 * @property {boolean} docs
 * @property {boolean} quick
 * @property {boolean} accept
 */

/**
 * @param {string[]} args
 * @returns {Options | undefined} nothing if help is asked for
 */
export function parseOptions(args) {
  const text = /** @type {const} */ ({ type: 'string' });
  const flag = /** @type {const} */ ({ type: 'boolean', default: false });
  const { values } = parseArgs({
    args,
    options: {
      only: text,
      rounds: text,
      photos: text,
      peers: text,
      'old-service': text,
      work: text,
      json: text,
      from: text,
      docs: flag,
      quick: flag,
      accept: flag,
      help: flag,
    },
  });
  if (values.help) return undefined;
  const rounds = values.rounds === undefined ? undefined : Number(values.rounds);
  if (rounds !== undefined && !(Number.isInteger(rounds) && rounds > 0))
    throw new Error('--rounds must be a whole number of at least 1.');
  const { only, photos, peers, 'old-service': oldService, work, json, from, docs, quick, accept } = values;
  const names = only === undefined ? defaults(quick, photos) : only.split(',').map(requireName);
  if (photos === undefined && only !== undefined && names.some(isPhotoSet))
    throw new Error('The photos-… sets need --photos DIR.');
  return { names, rounds, photos, peers, oldService, work, json, from: from?.split(',') ?? [], docs, quick, accept };
}

/**
 * @param {boolean} quick
 * @param {string | undefined} photos
 */
function defaults(quick, photos) {
  const names = quick ? QUICK : [...Object.keys(SETS), ...SECTIONS];
  return names.filter((name) => photos !== undefined || !isPhotoSet(name));
}

/** @param {string} name */
function requireName(name) {
  if (isSet(name) || SECTIONS.includes(name)) return name;
  throw new Error(`\`${name}\` is unknown. Use one of ${[...Object.keys(SETS), ...SECTIONS].join(', ')}.`);
}

/**
 * @param {string} name
 * @returns {name is SetName}
 */
export function isSet(name) {
  return Object.hasOwn(SETS, name);
}

/** @param {string} name */
function isPhotoSet(name) {
  return isSet(name) && SETS[name].photos;
}
