import { expect, test } from 'vitest';
import type { KnownPlace, Position, SaveOutcome } from '../../../machines/model/reading/reading.ts';
import { createPlaceSaver } from '../../../src/flows/viewer/place-saver.ts';

const key = { titleId: 't1', contextKey: 'audio' };
const positionAt = (seconds: number): Position => ({ itemId: 'a', seconds, totalProgression: seconds / 1000 });

/** A saver for a server without versions, which compares positions only, and a reader elsewhere. */
const createServer = () => {
  let place: Position | null = positionAt(1);
  const save = async ({ position, known }: { position: Position; known: KnownPlace }): Promise<SaveOutcome> => {
    const isKnown = 'position' in known && JSON.stringify(known.position) === JSON.stringify(place);
    const newer = isKnown || place === null ? null : { position: place, savedAt: '', device: null, minutesAgo: null };
    if (newer === null) place = position;
    return { known: { position: place }, earlier: [], newer };
  };
  return { save: createPlaceSaver(save), readElsewhere: (position: Position) => (place = position) };
};

test('saves that follow each other without waiting are no conflict with another device', async () => {
  const { save } = createServer();
  const known = { position: positionAt(1) };
  expect((await save({ ...key, position: positionAt(2), known })).newer).toBeNull();
  expect((await save({ ...key, position: positionAt(3), known })).newer).toBeNull();
});

test('choosing between two positions ends their conflict, and a title opened again has none', async () => {
  const { save, readElsewhere } = createServer();
  const known = { position: positionAt(1) };
  await save({ ...key, position: positionAt(2), known });
  readElsewhere(positionAt(500));
  const conflict = await save({ ...key, position: positionAt(3), known });
  expect(conflict.newer).toMatchObject({ position: positionAt(500) });
  expect((await save({ ...key, position: positionAt(3), known: conflict.known })).newer).toBeNull();
  readElsewhere(positionAt(900));
  expect((await save({ ...key, position: positionAt(901), known: { position: positionAt(900) } })).newer).toBeNull();
});
