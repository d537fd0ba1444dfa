import { defineCommand, UsageError } from '../command-line/command.ts';
import { FLAGS } from '../command-line/flags.ts';
import { printDiagnostics } from '../build/read-themes.ts';
import { visibleLines } from '../diagnostics/quote.ts';

export const command = defineCommand({
  examples: ['client --out src/theme.ts', 'client --out src/theme.ts --check'],
  flags: {
    out: { type: 'string', value: 'FILE', default: '-', about: 'File to write, such as src/theme.ts; - prints it' },
    check: {
      type: 'boolean',
      about: 'Write nothing; exit with 1 if the file is missing, edited or of another version',
    },
    force: { type: 'boolean', about: 'Replace a file that this command did not write, or that has been edited since' },
    quiet: { ...FLAGS.quiet, about: 'Print errors only' },
  },
  details:
    'The file has the types of the theme record, and a client that keeps the last good theme. It imports nothing, so the project needs no package. Commit it, and run the command with --check in CI, with the version of themecast that the head of the file names.',
  async run({ out, check, force, quiet }) {
    if (check && force) throw new UsageError('--check writes nothing: leave out --force.');
    if (out !== '-' && !out.endsWith('.ts'))
      throw new UsageError('--out is a TypeScript file: its name ends with .ts.');
    const { clientFile, clientFileProblem } = await import('../scaffold/client-file.ts');
    const { readClientFile, readClientSources, sameFileAbove, writeClientFile } =
      await import('../scaffold/io/client-file.ts');
    const text = clientFile(readClientSources());
    const print = (line: string): void => void (quiet || process.stdout.write(visibleLines(`${line}\n`)));
    if (out === '-') {
      if (check) throw new UsageError('--check compares a file: name it with `--out FILE`.');
      process.stdout.write(text);
      return 0;
    }
    if (!check) {
      const isWritten = await writeClientFile(out, text, force);
      print(isWritten ? `✔ Written: ${out}` : `✔ ${out} is up to date`);
      return 0;
    }
    const problem = clientFileProblem(await readClientFile(out), text);
    if (problem === undefined) {
      print(`✔ ${out} is up to date`);
      return 0;
    }
    const above = problem === 'missing' ? await sameFileAbove(out) : undefined;
    const { Diagnostics } = await import('../diagnostics/diagnostic.ts');
    const diagnostics = new Diagnostics();
    diagnostics.report('client/stale', { file: out }, { file: out, problem, above });
    printDiagnostics(diagnostics.sorted);
    return 1;
  },
});
