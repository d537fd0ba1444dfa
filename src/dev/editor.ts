import { spawn } from 'node:child_process';
import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { quote } from '../diagnostics/quote.ts';
import { isInside } from '../io/disk/files.ts';

/** A place in a file. */
export interface Place {
  /** As diagnostics name it. */
  file: string;
  line: number;
  column: number;
}

/** Editors that need a terminal; that of the server is in use. */
const IN_TERMINAL = /^(?:n?vim?|nano|pico|micro|helix|hx|kak|joe|ne|ed|emacs|mcedit)$/;

/** The value of a button: `3:1:themes/meadow/theme.yaml`. */
export function parsePlace(text: string): Place | undefined {
  const [, line, column, file] = /^(\d{1,7}):(\d{1,7}):(.{1,4096})$/s.exec(text) ?? [];
  return file === undefined ? undefined : { file, line: Number(line), column: Number(column) };
}

/**
 * The program and the arguments that open a file, by the conventions of development servers: `LAUNCH_EDITOR`, else `VISUAL` or `EDITOR`
 * unless it needs a terminal, else VS Code.
 * @param file - absolute, so that no file name is an option
 */
export function editorCommand(
  env: NodeJS.ProcessEnv,
  { file, line, column }: Place,
): readonly [program: string, ...args: string[]] {
  const asked = [env['LAUNCH_EDITOR'], ...[env['VISUAL'], env['EDITOR']].filter((one) => !needsTerminal(one))];
  const [program = 'code', ...args] = wordsOf(asked.find((one) => one !== undefined && one.trim() !== '') ?? 'code');
  return [program, ...args, ...placeArguments(nameOf(program), file, line, column)];
}

function placeArguments(editor: string, file: string, line: number, column: number): string[] {
  if (/^(?:code|code-insiders|codium|vscodium|cursor|windsurf)$/.test(editor))
    return ['-g', `${file}:${line}:${column}`];
  if (/^(?:subl|sublime_text|zed|zeditor|atom|pulsar)$/.test(editor)) return [`${file}:${line}:${column}`];
  if (/^(?:idea|webstorm|phpstorm|pycharm|goland|rubymine|clion|rider)(?:64)?$/.test(editor))
    return ['--line', String(line), '--column', String(column), file];
  if (editor === 'emacsclient') return [`+${line}:${column}`, file];
  if (/^(?:gvim|mvim|gedit|gnome-text-editor|xed|pluma)$/.test(editor)) return [`+${line}`, file];
  if (editor === 'kate') return ['--line', String(line), '--column', String(column), file];
  return [file];
}

function needsTerminal(command: string | undefined): boolean {
  return command !== undefined && IN_TERMINAL.test(nameOf(wordsOf(command)[0] ?? ''));
}

function nameOf(program: string): string {
  return path.basename(program).replace(/\.(?:exe|cmd|bat)$/i, '');
}

/** The words of a command line: `code --wait`, `"/opt/My Editor/edit" -n`. It is never run by a shell. */
function wordsOf(command: string): string[] {
  return [...command.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, bare]) => double ?? single ?? bare ?? '',
  );
}

/**
 * Opens a file of the themes folder in the editor of the developer.
 * @returns why it cannot be opened
 */
export async function openInEditor(
  place: Place,
  { cwd, themesDir, env }: { cwd: string; themesDir: string; env: NodeJS.ProcessEnv },
): Promise<string | undefined> {
  const [file, root] = await Promise.all(
    [path.resolve(cwd, place.file), path.resolve(cwd, themesDir)].map((one) => realpath(one).catch(() => undefined)),
  );
  if (file === undefined || root === undefined || !isInside(file, root))
    return `${quote(place.file)} is not a file of the themes folder.`;
  const [program, ...args] = editorCommand(env, { ...place, file });
  const child = spawn(program, args, { cwd, stdio: 'ignore', detached: true });
  child.unref();
  return new Promise((resolve) => {
    child.once('spawn', () => resolve(undefined));
    child.once('error', () =>
      resolve(
        `The editor ${quote(program)} cannot be started. Set \`LAUNCH_EDITOR\` to the command of an editor with a window, such as \`code\`, and start the server again.`,
      ),
    );
  });
}
