import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { BrowserAdapter } from '../tours/browser-adapter.ts';

/**
 * A call to the shop's server, as a plan names it: `campaign/titles`, with `*` for the parts that
 * vary by request.
 */
export type Call = { name: string; url: URL };

const contract = parse(readFileSync(join(import.meta.dirname, '../../openapi.yaml'), 'utf8')) as {
  paths: Record<string, Record<string, unknown>>;
};

const contractCalls = Object.entries(contract.paths).flatMap(([path, methods]) =>
  Object.keys(methods).map((method) => ({
    method: method.toUpperCase(),
    name: path.slice(1).replaceAll(/\{[^}]+\}/g, '*'),
    url: new URL(`https://shop.example/api${path.replaceAll(/\{[^}]+\}/g, '1')}`),
  })),
);

/**
 * The calls that a port of an adapter makes; empty if it makes none, or if its calls differ in more
 * than their URL.
 */
export const getCalls = ({ ports }: Pick<BrowserAdapter, 'ports'>, port: string): Call[] => {
  const { matches } = ports[port] ?? {};
  const calls = matches === undefined ? [] : contractCalls.filter(({ url, method }) => matches(url, method));
  // `*` matches anything: a tester who blocks `titles/*` also blocks `titles/facets` and
  // `titles/isbn/1`.
  const isCovered = (name: string): boolean =>
    calls.some((each) => each.name !== name && new RegExp(`^${each.name.replaceAll('*', '.+')}$`).test(name));
  return calls.filter(({ name }, index) => calls.findIndex((each) => each.name === name) === index && !isCovered(name));
};
