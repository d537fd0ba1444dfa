import { readFileSync } from 'node:fs';

export function readPackageFile(file: string): string {
  return readFileSync(new URL(`../../../../${file}`, import.meta.url), 'utf8');
}

export function ownVersion(): string {
  return (JSON.parse(readPackageFile('package.json')) as { version: string }).version;
}
