import path from 'node:path';
import type { CheckOptions } from '../../build/api.ts';
import type { Code, Diagnostic } from '../../diagnostics/diagnostic.ts';
import { treeIdentity } from '../../io/incremental/identity.ts';
import { ContainedFolder, ContainmentError } from '../../io/disk/contained-folder.ts';
import { writableFolder } from '../../io/disk/tracked.ts';
import { TEXT_LIMIT } from '../../io/themes/discover.ts';
import { CHANGED, fileIdentity, rewrite, RewriteError } from '../../io/themes/rewrite.ts';
import { outcome } from '../../build/examine.ts';
import { checkThemes } from '../../build/pipeline.ts';
import { withResources } from '../../build/resources.ts';
import { apart, type Edit, edited, offsets } from '../../source/edits.ts';

/** An edit, and the diagnostic that it fixes. */
export interface CodedEdit extends Edit {
  code: Code;
}

/** What is to be changed in a file. */
export interface FileFixes {
  /** Its name in diagnostics. */
  file: string;
  /** Its path below the themes folder, with `/`. */
  name: string;
  bytes: Buffer;
  /** Without a byte order mark. */
  text: string;
  edits: readonly CodedEdit[];
}

/** A file that cannot be changed. */
export interface Refusal {
  file: string;
  reason: string;
}

/** What can be fixed. Nothing is written yet. */
export interface FixPlan {
  /** All diagnostics of the check, sorted. */
  diagnostics: readonly Diagnostic[];
  files: readonly FileFixes[];
  refused: readonly Refusal[];
}

type Options = CheckOptions & { cwd: string };

/**
 * Checks the themes, and lists what can be fixed in them.
 * @throws whatever `check()` throws
 */
export async function planFixes(options: Options): Promise<FixPlan> {
  return withResources(options, async (run) => {
    const seen = new Map<string, string>();
    treeIdentity(
      options.themesDir,
      (name) => name.startsWith('.'),
      (file, identity) => seen.set(file, identity),
    );
    const { content, given, ...read } = await checkThemes(options, run);
    const { diagnostics } = outcome({ content, ...read }, given.users, run.diagnostics, options);
    return { diagnostics, ...(await new Planner(options, seen).plan(diagnostics)) };
  });
}

/** Reads the files that diagnostics point into, and turns fixes into edits. */
class Planner {
  readonly #options: Options;
  readonly #seen: ReadonlyMap<string, string>;
  readonly #folder: ContainedFolder;
  readonly #read = new Map<string, Opened | undefined>();
  readonly #refused: Refusal[] = [];

  /** @param seen - identities of all files before they were checked */
  constructor(options: Options, seen: ReadonlyMap<string, string>) {
    this.#options = options;
    this.#seen = seen;
    this.#folder = new ContainedFolder(options.themesDir);
  }

  async plan(diagnostics: readonly Diagnostic[]): Promise<Omit<FixPlan, 'diagnostics'>> {
    const edits = new Map<string, CodedEdit[]>();
    for (const { code, location, fix } of diagnostics) {
      const { file, start, end } = location;
      const opened = fix && (await this.#open(file));
      if (fix === undefined || opened === undefined || start === undefined || end === undefined) continue;
      const { offset } = opened;
      add(edits, file, { start: offset(start), end: offset(end), text: fix.replacement, code });
    }
    const files = [...edits].map(([file, all]): FileFixes => {
      const { bytes = Buffer.alloc(0), text = '' } = this.#read.get(file) ?? {};
      return { file, name: this.#nameOf(file), bytes, text, edits: apart(all) };
    });
    return { files: files.toSorted((a, b) => (a.file < b.file ? -1 : 1)), refused: this.#refused };
  }

  async #open(file: string): Promise<Opened | undefined> {
    if (this.#read.has(file)) return this.#read.get(file);
    const opened = await this.#readAsChecked(file).catch((error: unknown) => {
      if (!(error instanceof RewriteError || error instanceof ContainmentError)) throw error;
      this.#refused.push({ file, reason: error.message });
      return undefined;
    });
    this.#read.set(file, opened);
    return opened;
  }

  async #readAsChecked(file: string): Promise<Opened> {
    const name = this.#nameOf(file);
    const target = path.join(this.#options.themesDir, name);
    const size = this.#folder.fileStat(name)?.bytes ?? 0;
    if (size > TEXT_LIMIT)
      throw new RewriteError(`it is larger than ${TEXT_LIMIT / 1024} KiB: edit it with another program`);
    const bytes = await this.#folder.read(name, TEXT_LIMIT);
    if (bytes === undefined || fileIdentity(target) !== this.#seen.get(target)) throw new RewriteError(CHANGED);
    const text = new TextDecoder().decode(bytes);
    return { bytes, text, offset: offsets(text) };
  }

  #nameOf(file: string): string {
    const { themesDir, cwd } = this.#options;
    return path.relative(path.resolve(cwd, themesDir), path.resolve(cwd, file)).split(path.sep).join('/');
  }
}

/** A file with the places of its text. */
interface Opened extends Pick<FileFixes, 'bytes' | 'text'> {
  offset: ReturnType<typeof offsets>;
}

function add(edits: Map<string, CodedEdit[]>, file: string, edit: CodedEdit): void {
  const all = edits.get(file);
  if (all === undefined) edits.set(file, [edit]);
  else all.push(edit);
}

/**
 * Writes what was planned, file by file.
 * @returns the files that could not be changed
 */
export async function writeFixes(themesDir: string, files: readonly FileFixes[]): Promise<Refusal[]> {
  const folder = writableFolder(themesDir);
  const refused: Refusal[] = [];
  for (const { file, name, bytes, text, edits } of files) {
    try {
      // Of a file that is no valid UTF-8, this is something else than its bytes, so it is refused.
      const mark = bytes.subarray(0, bytes.length - Buffer.byteLength(text));
      const withMark = (whole: string): Buffer => Buffer.concat([mark, Buffer.from(whole)]);
      await rewrite(folder, name, withMark(text), withMark(edited(text, edits)));
    } catch (error) {
      if (!(error instanceof RewriteError)) throw error;
      refused.push({ file, reason: error.message });
    }
  }
  return refused;
}
