import type { Report } from '../../core/diagnostics/diagnostic.ts';
import { type FileFacts, factsOf, type OutputFile, type PrivateFile } from '../../core/document/files/output-file.ts';
import type { EdgeRules } from '../../hosts/contract/contract.ts';
import type { LocatedRedirect } from '../../hosts/contract/redirects.ts';
import { readHostTemplates, readRuntime } from '../runtime.ts';
import type { UserFiles } from './compile-users.ts';
import type { Memory } from '../store/memory.ts';
import type { CompiledSettings, LinkedHosts } from '../model.ts';
import { withoutContent } from '../publish/public-files.ts';

interface HostFacts {
  private: LinkedHosts['private'];
  public: readonly FileFacts[];
}

export interface HostsInput {
  settings: CompiledSettings;
  rules: EdgeRules;
  redirects: readonly LocatedRedirect[];
  users: UserFiles;
}

/** Returns the files of all hosts. They are made only if their inputs have changed, or if one of them has to be written. */
export async function linkHosts(input: HostsInput, memory: Memory, report: Report): Promise<LinkedHosts> {
  let files: ReadonlyMap<string, OutputFile | PrivateFile> | undefined;
  const make = async (to: Report): Promise<HostFacts> => {
    const { edgeFiles, publicFiles } = await makeFiles(input, to);
    files = new Map([...edgeFiles, ...publicFiles].map((file) => [file.path, file]));
    return { private: edgeFiles.map(factsOf), public: publicFiles.map(withoutContent) };
  };
  const { settings, rules, redirects, users } = input;
  const inputs = [users.inputsDigest, rules, redirects, settings.site.edge, settings.edge, settings.rules];
  const facts = await memory.memoize('hosts', inputs, report, make);
  return {
    ...facts,
    make: async (path) => {
      if (files === undefined) await make(() => undefined);
      const file = files?.get(path);
      if (file === undefined) throw new Error(`Bug: ${path} is no file of a host.`);
      return file;
    },
  };
}

/** Makes the files below `edge/` and the files that some hosts read from `dist/`; no path occurs in both. */
async function makeFiles({ settings, rules, redirects, users }: HostsInput, report: Report) {
  const { edgeOutput } = await import('../../hosts/adapter/edge-output.ts');
  const { site, edge, rules: ruleLocations } = settings;
  const [runtime, templates, { mapping }] = [
    await readRuntime(),
    await readHostTemplates(site.edge),
    await users.open(),
  ];
  return edgeOutput(site.edge, { rules, mapping, runtime, templates, report }, users.compiled.assigned, {
    edge,
    identity: (rule) => ruleLocations[rule] ?? edge,
    redirects: (from) => redirects.find((redirect) => redirect.from === from)?.location ?? edge,
  });
}
