import { readAuthored } from '../pipeline.ts';
import { Diagnostics } from '../diagnostics/diagnostic.ts';
import { printedJson } from '../diagnostics/format-json.ts';
import { count, visibleLines } from '../diagnostics/quote.ts';
import { suggest } from '../diagnostics/suggest.ts';
import { PAGE_STYLE_HASH } from '../document/browsable-page.ts';
import { headersOf, secretOf } from '../hosts/credentials.ts';
import { decideWho } from '../who/explain.ts';
import {
  credentialName,
  decidedBy,
  formatExplanation,
  formatExplanationJson,
  type LiveAnswer,
  themeName,
  type WhoIs,
} from '../who/format.ts';
import { askConfig } from '../io/http/ask.ts';
import { isFolder } from '../io/files.ts';
import { invocation } from '../io/invocation.ts';
import { NO_CACHE } from '../io/incremental-cache.ts';
import { liveFolder } from '../io/output/places.ts';
import { userSources } from '../io/users/read-assignments.ts';
import { findUsers, usersOfTheme } from '../users/find-users.ts';
import { edgeRules } from '../hosts/contract.ts';
import { type KeyKind, keyProblem } from '../users/key.ts';
import type { Wanted } from '../users/mapping.ts';
import { checkOptions } from './findings.ts';
import { type FlagValues, UsageError } from './flags.ts';
import type { Run } from './registry.ts';
import { repeated } from './site-root.ts';

/** Keys that are shown of those who get a theme. */
const SAMPLES = 10;

export const run: Run = async (flags, user) => {
  const { group, theme } = flags;
  const keys = wantedKeys(user, group);
  if ((keys.length === 0) === (theme === undefined))
    throw new UsageError('Name a user, a `--group`, or both; or ask with `--theme` who gets a theme.');
  if (theme !== undefined && flags.live !== undefined) throw new UsageError('`--live` asks for a user or a group.');
  if (flags.format === 'github') throw new UsageError('`who` answers as text or json: it has no findings to show.');
  const liveAt = flags.live === undefined ? undefined : liveUrl(flags.live);
  const options = checkOptions(flags);
  if (!(await isFolder(options.themesDir))) {
    process.stderr.write(
      visibleLines(`The themes folder ${options.themesDir} does not exist. Name another with \`--themes DIR\`.\n`),
    );
    return 1;
  }
  const { report, ...diagnostics } = collected();
  const authored = await readAuthored(options, NO_CACHE, report);
  const sources = userSources(options, authored.content, report);
  const slugs = [...authored.content.files.keys()];

  if (theme !== undefined) {
    if (!slugs.includes(theme)) {
      const close = suggest(theme, slugs);
      throw new UsageError(
        `There is no theme \`${theme}\`.${close === undefined ? '' : ` Did you mean \`${close}\`?`}`,
      );
    }
    const { counts, sample } = await usersOfTheme(sources, slugs, theme, SAMPLES, report);
    const isDefault = authored.themes.some(({ slug, is_default: fallback }) => slug === theme && fallback);
    process.stdout.write(
      flags.format === 'json'
        ? printedJson({ version: 1, theme, users: counts.user, groups: counts.group, sample })
        : visibleLines(reverse(theme, counts, sample, isDefault)),
    );
    diagnostics.warn(flags);
    return 0;
  }

  const found = await findUsers(sources, slugs, keys, report);
  const rules = edgeRules(authored.site, authored.themes, PAGE_STYLE_HASH);
  const defaultTheme = authored.themes.find(({ is_default: fallback }) => fallback)?.slug;
  const who: WhoIs = {
    ...(await decideWho(keys, found, rules, defaultTheme)),
    rules,
    defaultTheme,
    hosts: authored.site.edge,
    ruleAt: authored.locations.ruleAt,
    edgeOut: await liveFolder(flags['edge-out'] ?? ''),
  };
  const isJson = flags.format === 'json';
  if (!isJson) process.stdout.write(visibleLines(formatExplanation(who)));
  diagnostics.warn(flags);
  const live = liveAt && (await askLive(liveAt, who));
  if (isJson) process.stdout.write(formatExplanationJson(who, live));
  else if (live !== undefined)
    process.stdout.write(visibleLines(`${live.agrees ? '✔' : '✘'} ${live.url} ${live.answer}\n`));
  return live === undefined || live.agrees ? 0 : 1;
};

function wantedKeys(user: string, group: string | undefined): Wanted[] {
  const keys = [
    ...(user === '' ? [] : [{ kind: 'user' as const, key: user }]),
    ...(group === undefined ? [] : [{ kind: 'group' as const, key: group }]),
  ];
  for (const { kind, key } of keys) {
    const problem = keyProblem(key);
    if (problem !== undefined) throw new UsageError(`There can be no such ${kind}: the key ${problem}.`);
  }
  return keys;
}

/** Asks a deployment as the same person, and compares. */
async function askLive({ written: url, base }: LiveUrl, who: WhoIs): Promise<LiveAnswer> {
  const { keys, explanation, rules, defaultTheme } = who;
  const [hit] = explanation.hits;
  const rule = hit?.rule ?? rules.identity.find(({ names }) => names !== 'theme' && keys[names] !== undefined);
  const key = rule === undefined || rule.names === 'theme' ? undefined : keys[rule.names]?.key;
  const headers =
    rule === undefined || key === undefined ? {} : headersOf(rule.credential, key, (name) => process.env[name]);
  if (headers === undefined && rule !== undefined) {
    const secret = secretOf(rule.credential);
    const remedy = secret === undefined ? '' : `; set ${secret} as it is there`;
    const answer = `cannot be asked from here: the ${rule.names} is ${credentialName(rule.credential)}${remedy}.`;
    return { url, agrees: false, answer };
  }
  const given = await askConfig(base, headers ?? {});
  if ('problem' in given) throw new UsageError(`${url} gives no theme: ${given.problem}.`);
  const slug = rules.themes[rules.themeIds.findIndex((id) => id === given.id)];
  // Which host it is cannot be told: some do not mind the case of keys.
  const expected = [who, ...who.hosts.map((host) => decidedBy(host, who))];
  const agrees = slug !== undefined && expected.some(({ explanation: { theme } }) => slug === (theme ?? defaultTheme));
  const name = slug === undefined ? `a theme that is not here (${given.shown})` : themeName(slug, rules);
  const rest = agrees ? ', too.' : '. Is this checkout deployed there, and the mapping too?';
  return { url, agrees, answer: `answers with ${name}${rest}` };
}

interface LiveUrl {
  written: string;
  /** What the path of the endpoint comes after. */
  base: string;
}

function liveUrl(written: string): LiveUrl {
  const url = URL.canParse(written) ? new URL(written) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.search + url.hash !== '')
    throw new UsageError(`--live must be an http or https URL like https://community.example.org, not \`${written}\`.`);
  return { written, base: url.origin + url.pathname.replace(/\/+$/, '') };
}

function reverse(
  theme: string,
  counts: Record<KeyKind, number>,
  sample: readonly { kind: KeyKind; key: string }[],
  isDefault: boolean,
): string {
  const all = (['user', 'group'] as const).flatMap((kind) => (counts[kind] === 0 ? [] : [count(counts[kind], kind)]));
  const more = counts.user + counts.group - sample.length;
  return [
    `${theme} is given to ${all.join(' and ') || 'nobody'}${isDefault ? '; everyone else gets it too: it is the default theme' : ''}.`,
    ...sample.map(({ kind, key }) => `  ${kind}  ${key}`),
    ...(more > 0 ? [`  … and ${more.toLocaleString('en')} more`] : []),
    '',
  ].join('\n');
}

/** Collects findings, and says on the side that there are some. */
function collected(): { report: Diagnostics['report']; warn: (flags: FlagValues) => void } {
  const diagnostics = new Diagnostics();
  return {
    report: diagnostics.report,
    warn: (flags) => {
      const errors = diagnostics.sorted.filter(({ severity }) => severity === 'error').length;
      if (errors > 0)
        process.stderr.write(
          `! ${count(errors, 'error')} in the themes or files of users: \`${invocation('check', repeated(flags, ['themes']))}\` shows them, and nothing is published before they are mended.\n`,
        );
    },
  };
}
