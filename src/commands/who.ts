import { readAuthored, userSources } from '../build.ts';
import { Diagnostics } from '../diagnostics/diagnostic.ts';
import { count } from '../diagnostics/quote.ts';
import { suggest } from '../diagnostics/suggest.ts';
import { PAGE_STYLE_HASH } from '../document/browsable-page.ts';
import { explain, type KnownKey } from '../edge/explain.ts';
import {
  credentialName,
  formatExplanation,
  formatExplanationJson,
  themeName,
  type WhoIs,
} from '../edge/format-explanation.ts';
import { askConfig, headersOf } from '../io/ask.ts';
import { findUsers, usersOfTheme } from '../io/users/find-users.ts';
import { edgeRules } from '../mapping/edge-rules.ts';
import { type KeyKind, keyProblem } from '../mapping/key.ts';
import { isNeeded } from '../mapping/mapping.ts';
import { checkOptions } from './findings.ts';
import { UsageError } from './flags.ts';
import type { Run } from './registry.ts';

/** Keys that are shown of those who get a theme. */
const SAMPLES = 10;

export const run: Run = async (flags, user) => {
  const { group, theme } = flags;
  const keys = wantedKeys(user, group);
  if ((keys.length === 0) === (theme === undefined))
    throw new UsageError('Name a user, a `--group`, or both; or ask with `--theme` who gets a theme.');
  if (theme !== undefined && flags.live !== undefined) throw new UsageError('`--live` asks for a user or a group.');
  const options = checkOptions(flags);
  const { report, ...diagnostics } = collected();
  const authored = await readAuthored(options, report);
  const sources = userSources(options, authored.content, report);
  const slugs = [...authored.content.pictures.keys()];

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
      flags.format === 'json' ? reverseJson(theme, counts, sample) : reverse(theme, counts, sample, isDefault),
    );
    diagnostics.warn();
    return 0;
  }

  const found = await findUsers(sources, slugs, keys, report);
  const rules = edgeRules(authored.site, authored.themes, PAGE_STYLE_HASH);
  const defaultTheme = authored.themes.find(({ is_default: fallback }) => fallback)?.slug;
  const known = Object.fromEntries(
    keys.map(({ kind, key }): [KeyKind, KnownKey] => {
      const place = found.find((one) => one.kind === kind);
      const isKnown = isNeeded(kind, place?.theme === defaultTheme, authored.site.identity);
      return [kind, { key, theme: place?.theme, location: place?.location, isNeeded: isKnown }];
    }),
  );
  const who: WhoIs = {
    keys: known,
    explanation: await explain(rules, known, defaultTheme),
    rules,
    defaultTheme,
    hosts: authored.site.edge,
    ruleAt: authored.locations.identity,
    edgeOut: flags['edge-out'] ?? '',
  };
  process.stdout.write(flags.format === 'json' ? formatExplanationJson(who) : formatExplanation(who));
  diagnostics.warn();
  return flags.live === undefined ? 0 : askLive(flags.live, who);
};

function wantedKeys(user: string, group: string | undefined): { kind: KeyKind; key: string }[] {
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

/** Asks a deployment as the same person, and says whether it agrees: 0, or 1 if not. */
async function askLive(url: string, { keys, explanation, rules, defaultTheme }: WhoIs): Promise<number> {
  const { origin, pathname } = liveUrl(url);
  const [hit] = explanation.hits;
  const rule = hit?.rule ?? rules.identity.find(({ names }) => names !== 'theme' && keys[names] !== undefined);
  const key = rule === undefined || rule.names === 'theme' ? undefined : keys[rule.names]?.key;
  const headers =
    rule === undefined || key === undefined ? {} : headersOf(rule.credential, key, (name) => process.env[name]);
  if (headers === undefined && rule !== undefined) {
    process.stdout.write(
      `  live  cannot be asked from here: the ${rule.names} is ${credentialName(rule.credential)}\n`,
    );
    return 1;
  }
  const answer = await askConfig(origin + pathname.replace(/\/+$/, ''), headers ?? {});
  if ('problem' in answer) throw new UsageError(`${url} gives no theme: ${answer.problem}.`);
  const expected = explanation.theme ?? defaultTheme;
  const at = rules.themeIds.findIndex((id) => id === answer.id);
  const slug = rules.themes[at];
  const isSame = slug !== undefined && slug === expected;
  const given = slug === undefined ? `a theme that is not here (${JSON.stringify(answer.id)})` : themeName(slug, rules);
  process.stdout.write(
    isSame
      ? `✔ ${url} answers with ${given}, too.\n`
      : `✘ ${url} answers with ${given}. Is this checkout deployed there, and the mapping too?\n`,
  );
  return isSame ? 0 : 1;
}

function liveUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.search + url.hash !== '')
    throw new UsageError(`--live must be an http or https URL like https://community.example.org, not \`${text}\`.`);
  return url;
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

function reverseJson(
  theme: string,
  counts: Record<KeyKind, number>,
  sample: readonly { kind: KeyKind; key: string }[],
): string {
  return `${JSON.stringify({ version: 1, theme, users: counts.user, groups: counts.group, sample }, null, 2)}\n`;
}

/** Collects findings, and says on the side that there are some. */
function collected(): { report: Diagnostics['report']; warn: () => void } {
  const diagnostics = new Diagnostics();
  return {
    report: diagnostics.report,
    warn: () => {
      const errors = diagnostics.sorted.filter(({ severity }) => severity === 'error').length;
      if (errors > 0)
        process.stderr.write(
          `! ${count(errors, 'error')} in the themes or files of users: \`themecast check\` shows them, and nothing is published before they are mended.\n`,
        );
    },
  };
}
