import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { explore } from '../../machines/paths/explore.ts';
import { routes } from '../../src/flows/routes.ts';
import { seenIn, describeStep } from '../../tools/paths/describe-step.ts';
import { startsOf } from '../support/models.ts';
import type { PathModel } from '../support/path-model.ts';
import type { AnyDescription } from '../support/description.ts';

/** Texts of the screen in the English catalogues, and what stands in brackets there, as patterns. */
const catalogue = globSync('../../src/{locales,views/late/words,flows/*/words}/en.po', { cwd: import.meta.dirname }).flatMap(
  (name) => {
    const text = readFileSync(join(import.meta.dirname, name), 'utf8');
    const ids = text.matchAll(/^msgid ((?:".*"\n)+)/gm);
    return [...ids].map(([, lines = '']) =>
      [...lines.matchAll(/"(.*)"/g)].map(([, line = '']) => line.replaceAll('\\"', '"')).join(''),
    );
  },
);
const bare = (text: string) =>
  text
    .replace(/<\/?\d+>/g, '')
    .replace(/\{[^}]*\}|“\{[^}]*\}”/g, '…')
    .replace(/[“”]/g, '');
const pageNames = routes.flatMap(({ name }) => name?.en ?? []);
const onScreen = new Set([...catalogue, ...pageNames].map(bare));

const textsOf = ({ states, presses = {}, happens = {}, asks = {}, effects = {} }: AnyDescription): string[] =>
  [states, presses, happens, asks, effects].flatMap((texts) => Object.values(texts).filter((text) => text !== undefined));

const missingIn = (model: PathModel): string[] => {
  const { nodes, edges } = explore(model.machine, model);
  const states = nodes.flatMap(({ snapshot }) => seenIn(model.description, snapshot));
  return [
    ...states.filter(({ isMissing }) => isMissing).map(({ id }) => `state ${id}`),
    ...edges.flatMap((edge) => describeStep(model, edge).missing),
  ];
};

describe.each([...startsOf])('%s', (_, starts) => {
  test('describes every step and every state', () => {
    expect([...new Set(starts.flatMap(missingIn))]).toEqual([]);
  });

  test('says how to reach each of its starts, with a different text for each', () => {
    const given = starts.map((start) => start.given);
    expect(new Set(given).size).toBe(given.length);
    expect(given.filter((text) => !text.endsWith('.'))).toEqual([]);
  });

  test('names no action that the machine does not have', () => {
    const [{ machine, description }] = starts as [PathModel];
    expect(Object.keys(description.effects ?? {}).filter((name) => !(name in machine.implementations.actions))).toEqual([]);
  });

  test('quotes only texts that the screens have', () => {
    const [{ description }] = starts as [PathModel];
    const quoted = textsOf(description).flatMap((text) => [...text.matchAll(/“([^”]+)”/g)].map(([, quote = '']) => quote));
    const names = [...startsOf.keys()];
    expect(quoted.filter((quote) => !onScreen.has(bare(quote)) && !names.includes(quote))).toEqual([]);
  });
});
