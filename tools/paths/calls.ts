import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { Stage } from '../tours/stage.ts';

/** A call of the shop's server, as a plan names it: `campaign/titles`, with a star for what differs from request to request. */
export type Call = { name: string; url: URL };

const contract = parse(readFileSync(join(import.meta.dirname, '../../openapi.yaml'), 'utf8')) as {
  paths: Record<string, Record<string, unknown>>;
};

const known = Object.entries(contract.paths).flatMap(([path, methods]) =>
  Object.keys(methods).map((method) => ({
    method: method.toUpperCase(),
    name: path.slice(1).replaceAll(/\{[^}]+\}/g, '*'),
    url: new URL(`https://shop.example/api${path.replaceAll(/\{[^}]+\}/g, '1')}`),
  })),
);

/** The calls that a port of a stage makes; none where it makes none, or where more than their address tells them apart. */
export const callsOf = ({ ports }: Pick<Stage, 'ports'>, port: string): Call[] => {
  const { asks } = ports[port] ?? {};
  const made = asks === undefined ? [] : known.filter(({ url, method }) => asks(url, method));
  // Stars stand for whatever there is: who blocks `titles/*` has blocked `titles/facets` and `titles/isbn/1` as well.
  const isCovered = (name: string): boolean =>
    made.some((each) => each.name !== name && new RegExp(`^${each.name.replaceAll('*', '.+')}$`).test(name));
  return made.filter(({ name }, at) => made.findIndex((each) => each.name === name) === at && !isCovered(name));
};
