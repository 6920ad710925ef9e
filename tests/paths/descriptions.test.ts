import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { explore } from '../../machines/paths/explore.ts';
import { describeSnapshot, describeStep } from '../../tools/paths/describe-step.ts';
import { modelsByMachine } from '../../tools/path-models/models.ts';
import type { PathModel } from '../../machines/path-models/path-model.ts';
import { resolveText, type AnyDescription } from '../../machines/path-models/description.ts';

/** Texts of the screen in the English catalogues as patterns, with their placeholders. */
const catalogue = globSync('../../src/{locales,views/lazy/words,flows/*/words}/en.po', { cwd: import.meta.dirname }).flatMap(
  (name) => {
    const text = readFileSync(join(import.meta.dirname, name), 'utf8');
    const ids = text.matchAll(/^msgid ((?:".*"\n)+)/gm);
    return [...ids].map(([, lines = '']) =>
      [...lines.matchAll(/"(.*)"/g)].map(([, line = '']) => line.replaceAll('\\"', '"')).join(''),
    );
  },
);
const stripPlaceholders = (text: string) =>
  text
    .replace(/<\/?\d+>/g, '')
    .replace(/\{[^}]*\}|“\{[^}]*\}”/g, '…')
    .replace(/[“”]/g, '');
const screenTexts = new Set(catalogue.map(stripPlaceholders));

/** The texts that are the same in every snapshot. */
const listTexts = ({ states, presses = {}, happens = {}, asks = {}, effects = {} }: AnyDescription): string[] =>
  [states, presses, happens, asks, effects].flatMap((texts) => Object.values(texts).filter((text) => typeof text === 'string'));

/** All descriptions of the paths through a machine, and the missing ones. */
const describeModel = (model: PathModel): { texts: string[]; missing: string[] } => {
  const { nodes, edges } = explore(model.machine, model);
  const states = nodes.flatMap(({ snapshot }) => describeSnapshot(model.description, snapshot));
  const steps = edges.map((edge) => describeStep(model, edge));
  const presses = edges.flatMap(({ event, from }) => {
    const press = model.description.presses?.[event.type];
    return press === undefined ? [] : [resolveText(press, from.snapshot)];
  });
  return {
    texts: [...states.map(({ text }) => text), ...presses],
    missing: [
      ...states.filter(({ isMissing }) => isMissing).map(({ id }) => `state ${id}`),
      ...steps.flatMap(({ missing }) => missing),
    ],
  };
};

const descriptions = new Map([...modelsByMachine].map(([name, starts]) => [name, starts.map(describeModel)]));

describe.each([...modelsByMachine])('%s', (name, starts) => {
  test('describes every step and every state', () => {
    expect([...new Set(descriptions.get(name)?.flatMap(({ missing }) => missing))]).toEqual([]);
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
    const texts = new Set([...listTexts(description), ...(descriptions.get(name)?.flatMap((each) => each.texts) ?? [])]);
    const quoted = [...texts].flatMap((text) => [...text.matchAll(/“([^”]+)”/g)].map(([, quote = '']) => quote));
    const names = [...modelsByMachine.keys()];
    expect(quoted.filter((quote) => !screenTexts.has(stripPlaceholders(quote)) && !names.includes(quote))).toEqual([]);
  });
});
