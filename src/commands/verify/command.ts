import { showsColours } from '../../system/command-line/colours.ts';
import { defineCommand, UsageError, type ValuesOf } from '../../system/command-line/command.ts';
import { FLAGS } from '../../system/command-line/flags.ts';

const DETAILS = `Sends GET, HEAD and OPTIONS, and follows no redirects. Sends POST and PUT, with an empty body, only if every
document is proven to be of this build byte for byte. If the list is of another build, requests nothing else. Requests every address
of the host, and LIST, images and deployment.json more than once: several servers may respond in turn.

Requests CONFIG as one user or group of each theme, with tokens and headers made from the identity secrets in the
environment. Sends keys, secrets and credentials only if the list is of this build, and only by https or within this
machine. Elsewhere, themes of users are not verified, which is reported.

--strict also fails on tolerated results, such as users whose credentials cannot be made here, but not on the declared
limits of the host, nor on the checks in --tolerate.

--old asks another service the same, with GET, HEAD and OPTIONS only, and expects its answers. Without URL, it is compared
with the last build, before anything is deployed. Themes are compared by id, images by bytes, then by pixels. --sample reads
users from FILE: each further column is a header that identifies the user at OLD (user,theme_id,Cookie). Without such a
column, both get the same key, by the first identity rule for users. Exits with 1 if there is a difference that --accept
does not list.
`;

const flags = {
  themes: { ...FLAGS.themes, about: 'Folder of the themes, whose users must not be public' },
  out: { ...FLAGS.out, about: 'Public output of the build to compare with' },
  'edge-out': { ...FLAGS['edge-out'], about: 'Private output of that build' },
  host: { type: 'string', value: 'HOST', about: 'Tolerate the declared limits of this host' },
  as: { type: 'string', multiple: true, value: 'USER', about: 'Request CONFIG as this user too; may be repeated' },
  group: FLAGS.group,
  header: {
    type: 'string',
    multiple: true,
    value: 'NAME=VARIABLE',
    about: 'Request CONFIG with this header, its value from the environment; may be repeated',
  },
  'every-request': {
    type: 'string',
    multiple: true,
    value: 'NAME=VARIABLE',
    about: 'Send this header with every request to URL, its value from the environment; may be repeated',
  },
  rate: { type: 'string', value: 'N', about: 'Requests per second, at most (no limit, 8 at a time; with --old 10)' },
  wait: { type: 'string', value: 'SECONDS', about: 'Wait until the list of this build is live, at most this long' },
  strict: { ...FLAGS.strict, about: 'Fail on tolerated results too' },
  tolerate: {
    type: 'string',
    multiple: true,
    value: 'ID',
    about: 'Tolerate the faults of this check; may be repeated',
  },
  old: { type: 'string', value: 'OLD', about: 'Compare with the service at this URL' },
  sample: {
    type: 'string',
    value: 'FILE:N',
    about: 'With --old: compare for N users of a CSV file',
  },
  accept: { type: 'string', value: 'FILE', about: 'With --old: known differences, each with a reason' },
  hostname: {
    type: 'string',
    multiple: true,
    value: 'NAME',
    about: 'With --old: send both services this Host too; may be repeated',
  },
  'old-header': {
    type: 'string',
    multiple: true,
    value: 'NAME=VARIABLE',
    about: 'With --old: send this header with every request to OLD; may be repeated',
  },
  verbose: { ...FLAGS.verbose, about: 'Name the headers that something in front of the host adds' },
  format: { ...FLAGS.format, about: 'Results as text or json' },
} as const;

export type VerifyFlags = ValuesOf<typeof flags>;

const FORMATS = ['text', 'json'];
/** The flags of one of the two comparisons. */
const OF_BUILD = 'host as group header wait strict tolerate verbose'.split(' ') as (keyof VerifyFlags)[];
const OF_OLD = 'sample accept hostname old-header'.split(' ') as (keyof VerifyFlags)[];

/**
 * Only reads. POST and PUT have no body, and are sent only where every document is proven to be of this build: the contract refuses both, and
 * a deployment of static files and rules has nothing to write.
 */
export const command = defineCommand({
  examples: [
    'verify https://community.example.org --wait 120',
    'verify --old https://old.example.org --accept accepted.yaml',
  ],
  argument: '[URL]',
  flags,
  details: DETAILS,
  async run(values, argument) {
    const { format, strict, verbose, old } = values;
    if (!FORMATS.includes(format)) throw new UsageError(`--format must be ${FORMATS.join(' or ')}, not \`${format}\`.`);
    const isGiven = (name: keyof VerifyFlags): boolean =>
      [values[name]].flat().some((value) => value !== undefined && value !== false);
    const other = (old === undefined ? OF_OLD : OF_BUILD).find(isGiven);
    if (other !== undefined)
      throw new UsageError(`--${other} ${old === undefined ? 'needs `--old URL`' : 'is not possible with --old'}.`);
    if (argument === '' && (old === undefined || isGiven('every-request')))
      throw new UsageError('Name the URL of the deployment, or compare the last build with `--old URL`.');
    const started = performance.now();
    const { subject, result } =
      old === undefined
        ? await (await import('./io/verify.ts')).verifyBuild(values, argument)
        : await (await import('./io/old.ts')).verifyOld(values, old, argument);
    const { formatVerification, formatVerificationJson } = await import('./report.ts');
    const { passes } = await import('./result.ts');
    const elapsed = (performance.now() - started) / 1000;
    process.stdout.write(
      format === 'json'
        ? formatVerificationJson(subject, result, strict)
        : formatVerification(subject, result, elapsed, { colour: showsColours(), strict, verbose }),
    );
    return passes(result, strict) ? 0 : 1;
  },
});
