import { existsSync, lstatSync } from 'node:fs';
import path from 'node:path';
import type { BuildOptions, CheckOptions, CheckResult } from './api.ts';
import { sha256Of } from '../io/disk/files.ts';
import {
  identifyingDevice,
  identityOf,
  isSettled,
  type TreeIdentity,
  treeIdentity,
} from '../io/incremental/identity.ts';
import { IncrementalCache } from '../io/incremental/incremental-cache.ts';
import type { Content } from '../io/themes/discover.ts';
import { diagnosedFiles, readTexts } from '../io/themes/texts.ts';
import { THEME_FILE } from '../theme/themes-folder.ts';
import type { Run } from './resources.ts';

/** The identity of what is published. */
export interface Output {
  digest: string;
  /** That of the public one alone. */
  out: string;
  isSettled: boolean;
}

interface Stored<R> {
  result: Omit<R, 'texts'>;
  /** The files whose texts its diagnostics point into. */
  places: [file: string, path: string][];
  /** The output that it left. */
  output: Output | undefined;
}

type Options = CheckOptions & { [K in keyof BuildOptions]?: BuildOptions[K] | undefined } & { cwd: string };

/**
 * The result of the last run of a command, which is that of this run if neither the options nor the themes have changed since, and the
 * output is as the last run left it: all of that is seen from the names and times of files.
 */
export class LastResult<R extends CheckResult> {
  readonly #key: string;
  readonly #parts: readonly unknown[];
  readonly #isSettled: boolean;
  readonly #run: Run;

  /** @param command - whose results these are; those of other themes are in another index */
  constructor(command: string, options: Options, run: Run) {
    this.#key = IncrementalCache.local(command);
    this.#run = run;
    const { themesDir } = options;
    const files = new Map<string, string>();
    const sources = sourcesOf(themesDir, (file, identity, counts) => void (counts && files.set(file, identity)));
    run.incremental.files.begin({ files, names: sources.names });
    const users = usersIdentity(options.users);
    // What was found out before, about the output, is not in the last result.
    const isFirst = run.diagnostics.sorted.length === 0;
    this.#parts = [optionsOf(options), sources.digest, users?.identity, isFirst ? '' : undefined];
    this.#isSettled = sources.isSettled && users?.isSettled === true;
  }

  /** @param output - takes the identity of what is published now; without it, nothing is */
  recall(output?: () => Output): R | undefined {
    const { incremental, diagnostics } = this.#run;
    const isCurrent = (stored: Stored<R>): boolean => stored.output?.digest === output?.().digest;
    const stored = incremental.recall<Stored<R>>(this.#key, this.#parts, diagnostics.report, isCurrent);
    return stored && ({ ...stored.result, texts: readTexts(stored.places) } as unknown as R);
  }

  /** Retains how the output was left. */
  published(outDir: string, output: Output): void {
    const out = output.isSettled ? output.out : undefined;
    this.#run.incremental.remember(PUBLISHED, [path.resolve(outDir)], { out } satisfies LeftOutput);
  }

  /** The identity of the public output as the last build left it, if that is known. */
  outputBefore(outDir: string): string | undefined {
    return this.#run.incremental.recall<LeftOutput>(PUBLISHED, [path.resolve(outDir)], () => undefined)?.out;
  }

  remember({ texts, ...result }: R, content: Content, output?: Output): void {
    if (!this.#isSettled || output?.isSettled === false) return;
    const places = diagnosedFiles(result.diagnostics, content).filter(([file]) => texts.has(file));
    this.#run.incremental.remember(this.#key, this.#parts, { result, places, output } satisfies Stored<R>);
  }
}

const PUBLISHED = IncrementalCache.local('published');

/** The identity of the output after the last build into it, unless it was changing just then. */
interface LeftOutput {
  out: string | undefined;
}

/** What a build reads of the themes, by names and times. */
export function sourcesOf(themesDir: string, onEntry?: Parameters<typeof treeIdentity>[2]): TreeIdentity {
  return treeIdentity(themesDir, (name, below) => isIgnored(name, below, themesDir), onEntry);
}

/** Names that a build leaves out, as `discover` does: those with a dot, but for the themes among them, which are errors. */
function isIgnored(name: string, below: string, themesDir: string): boolean {
  return name.startsWith('.') && (below !== '' || !existsSync(path.join(themesDir, name, THEME_FILE)));
}

/** Options that make no difference to a result; every other one does. */
const WITHOUT_EFFECT = new Set<string>(['onProgress', 'signal', 'cacheDir'] satisfies (keyof Options)[]);

/** Everything that a result depends on besides files. The secret is hashed, and with the rest once more. */
function optionsOf(options: Options): unknown {
  const { keySecret } = options;
  const all = { ...options, themesDir: path.resolve(options.themesDir), keySecret: keySecret && sha256Of(keySecret) };
  return Object.entries(all).filter(([name]) => !WITHOUT_EFFECT.has(name));
}

/** The identity of the file of further users; nothing for one that cannot be read twice. */
function usersIdentity(users: string | undefined): { identity: string; isSettled: boolean } | undefined {
  if (users === undefined) return { identity: '', isSettled: true };
  const examined = Date.now();
  try {
    const stats = lstatSync(users);
    const counts = stats.isFile() && stats.dev === identifyingDevice(path.dirname(users));
    return counts ? { identity: identityOf(stats), isSettled: isSettled(stats, examined) } : undefined;
  } catch {
    return undefined; // standard input, or what is reported when it is read
  }
}
