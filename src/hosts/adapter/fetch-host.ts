import type { OutputFile } from '../../core/document/files/output-file.ts';
import type { Mapping } from '../../core/users/mapping.ts';
import type { Capabilities, EdgeAdapter, EdgeFile, EdgeInput } from './adapter.ts';
import type { EdgeRules } from '../contract/contract.ts';
import { embeddedMapping, handlerModules, moduleFile, ownRequestHeaders, rulesModule } from './handler-modules.ts';
import { EDGE_CODE } from '../contract/presets.ts';
import { KEY_SECRET, OLD_KEY_SECRET } from '../contract/secrets.ts';
import { fillFile, type View } from './template.ts';

/** The differences between platforms that run the handler. */
interface FetchHost extends Pick<EdgeAdapter, 'title' | 'routing' | 'readme' | 'publicFiles'> {
  /** The capabilities that {@link EDGE_CODE} leaves open or that differ from it. */
  capabilities: Omit<Capabilities, keyof typeof EDGE_CODE> & Partial<Capabilities>;
  /** The path of the module that the platform runs, the folder of all other modules, and the import prefix between them. */
  entry: string;
  modules: string;
  imports: string;
  /** The template of the entry module's code. It calls `answer(request, rules, platform)` (`src/core/edge-runtime/answer.ts`). */
  template: string;
  /** Returns template values besides `theme_of`, `own_request` (the headers of the platform's own requests) and `keyed`. */
  view?(rules: EdgeRules): View;
  /**
   * The key-value store with the mapping: its files, and JavaScript for a function that reads a value of keyed shards by name.
   * Without a store, the mapping is part of the code.
   */
  store?: { readValue: string; files(mapping: Mapping): EdgeFile[] };
  /** Returns JavaScript for the value of a secret. */
  secret(name: string): string;
  /** Returns the rules that the handler needs, if not all. */
  handlerRules?(rules: EdgeRules): EdgeRules;
  /** Returns the configuration of the platform. */
  config(input: EdgeInput): OutputFile[];
}

/** Defines a host that runs code with `fetch` handlers. */
export function defineFetchHost(host: FetchHost): EdgeAdapter {
  const { title, capabilities, routing, readme, publicFiles, modules, store } = host;
  return {
    title,
    capabilities: { ...EDGE_CODE, ...capabilities },
    ...(routing !== undefined && { routing }),
    ...(readme !== undefined && { readme }),
    ...(publicFiles !== undefined && { publicFiles }),
    files(input) {
      const { rules, mapping, templates } = input;
      const code = [rulesModule(`${modules}rules.js`, host.handlerRules?.(rules) ?? rules)];
      if (store === undefined) code.push(embeddedMapping(modules, mapping));
      const view = {
        ...host.view?.(rules),
        keyed: rules.keyed,
        theme_of: `${rules.keyed ? '' : 'async '}(kind, key) => ${rules.keyed ? 'shards.themeOf(kind, key)' : 'mapping[kind].get(key)'}`,
        own_request: JSON.stringify(ownRequestHeaders(code)),
        imports: host.imports,
        embedded: store === undefined,
        read_value: store?.readValue ?? 'async (name) => values.get(name)',
        secrets: [KEY_SECRET, OLD_KEY_SECRET].map((name) => host.secret(name)).join(', '),
      };
      const entry = fillFile(templates, host.template, view);
      return [
        moduleFile(host.entry, fillFile(templates, 'fetch-host.js.mustache', { ...view, code: entry })),
        ...code,
        ...handlerModules(modules, input.runtime),
        ...host.config(input),
        ...(store?.files(mapping) ?? []),
      ];
    },
  };
}
