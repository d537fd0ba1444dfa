import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  createMessageConnection,
  type MessageConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-jsonrpc/node.js';

/** A problem that an editor underlines. Lines count from 0. */
export interface Problem {
  message: string;
  range: { start: { line: number; character: number } };
  severity: number;
}

/** The settings that the YAML extension sends by default, without the online catalogue of schemas. */
const SETTINGS = { validate: true, completion: true, hover: true, schemaStore: { enable: false } };

/** The language server of YAML extensions, over standard input and output (Language Server Protocol 3.17). */
export class YamlLanguageServer {
  readonly #child: ChildProcess;
  readonly #connection: MessageConnection;
  readonly #opened = new Map<string, (problems: Problem[]) => void>();

  private constructor() {
    const manifest = createRequire(import.meta.url).resolve('yaml-language-server/package.json');
    const bin = path.join(manifest, '../bin/yaml-language-server');
    const child = spawn(process.execPath, [bin, '--stdio'], { stdio: ['pipe', 'pipe', 'ignore'] });
    const connection = createMessageConnection(
      new StreamMessageReader(child.stdout),
      new StreamMessageWriter(child.stdin),
    );
    connection.onNotification(
      'textDocument/publishDiagnostics',
      ({ uri, diagnostics }: { uri: string; diagnostics: Problem[] }) => this.#opened.get(uri)?.(diagnostics),
    );
    connection.onRequest('workspace/configuration', ({ items }: { items: { section?: string }[] }) =>
      items.map(({ section }) => (section === 'yaml' ? SETTINGS : {})),
    );
    connection.onRequest(() => null);
    connection.listen();
    [this.#child, this.#connection] = [child, connection];
  }

  static async start(folder: string): Promise<YamlLanguageServer> {
    const server = new YamlLanguageServer();
    const rootUri = pathToFileURL(folder).href;
    const workspaceFolders = [{ uri: rootUri, name: 'themes' }];
    const capabilities = { textDocument: { hover: { contentFormat: ['plaintext'] } } };
    const client = { processId: process.pid, rootUri, workspaceFolders, capabilities };
    await server.#connection.sendRequest('initialize', client);
    await server.#connection.sendNotification('initialized', {});
    await server.#connection.sendNotification('workspace/didChangeConfiguration', { settings: { yaml: SETTINGS } });
    return server;
  }

  /** Opens a text under a file name. @returns the problems that an editor underlines */
  open(file: string, text: string): Promise<Problem[]> {
    const uri = pathToFileURL(file).href;
    return new Promise((resolve, reject) => {
      this.#opened.set(uri, resolve);
      const textDocument = { uri, languageId: 'yaml', version: 1, text };
      this.#connection.sendNotification('textDocument/didOpen', { textDocument }).catch(reject);
    });
  }

  /** Returns the proposals at a position, counted from 0. */
  async complete(file: string, line: number, character: number): Promise<string[]> {
    const position = positionIn(file, line, character);
    const { items } = await this.#connection.sendRequest<{ items: { label: string }[] }>(
      'textDocument/completion',
      position,
    );
    return items.map(({ label }) => label);
  }

  /** Returns the help at a position, counted from 0. */
  async hover(file: string, line: number, character: number): Promise<string> {
    const position = positionIn(file, line, character);
    const { contents } = await this.#connection.sendRequest<{ contents: unknown }>('textDocument/hover', position);
    return JSON.stringify(contents);
  }

  async stop(): Promise<void> {
    this.#connection.dispose();
    this.#child.kill();
    await once(this.#child, 'close');
  }
}

function positionIn(file: string, line: number, character: number): object {
  return { textDocument: { uri: pathToFileURL(file).href }, position: { line, character } };
}
