import { expect, test } from 'vitest';
import type { KnownPlace, Position, SaveOutcome } from '../../../machines/model/reading/reading.ts';
import { placeSaver } from '../../../src/flows/viewer/place-saver.ts';

const key = { titleId: 't1', contextKey: 'audio' };
const at = (seconds: number): Position => ({ itemId: 'a', seconds, totalProgression: seconds / 1000 });

/** A server without versions, as the client of the shop saves there: by the places alone. */
const server = () => {
  let place: Position | null = at(1);
  const save = async ({ position, known }: { position: Position; known: KnownPlace }): Promise<SaveOutcome> => {
    const isKnown = 'position' in known && JSON.stringify(known.position) === JSON.stringify(place);
    const newer = isKnown || place === null ? null : { position: place, savedAt: '', device: null, minutesAgo: null };
    if (newer === null) place = position;
    return { known: { position: place }, earlier: [], newer };
  };
  return { save: placeSaver(save), readOn: (position: Position) => (place = position) };
};

test('saves that the machine does not wait for are no other device’s', async () => {
  const { save } = server();
  const known = { position: at(1) };
  expect((await save({ ...key, position: at(2), known })).newer).toBeNull();
  expect((await save({ ...key, position: at(3), known })).newer).toBeNull();
});

test('the choice between two places ends their conflict, and a title that is opened again has none', async () => {
  const { save, readOn } = server();
  const known = { position: at(1) };
  await save({ ...key, position: at(2), known });
  readOn(at(500));
  const conflict = await save({ ...key, position: at(3), known });
  expect(conflict.newer).toMatchObject({ position: at(500) });
  expect((await save({ ...key, position: at(3), known: conflict.known })).newer).toBeNull();
  readOn(at(900));
  expect((await save({ ...key, position: at(901), known: { position: at(900) } })).newer).toBeNull();
});
