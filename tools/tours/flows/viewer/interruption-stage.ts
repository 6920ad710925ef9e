import { expect } from '@playwright/test';
import type { AnyEventObject, AnyMachineSnapshot } from 'xstate';
import type { interruptionMachine } from '../../../../machines/reading/interruption.ts';
import { stopTime } from '../../causes.ts';
import type { Headings, Stage } from '../../stage.ts';
import { connectionReturns, loseChapter, loseChapters, regainChapters } from './book-page.ts';
import { inViewer, modelsOf, ownCopy } from './stage-helpers.ts';

const unheaded: Headings<typeof interruptionMachine> = { none: null, waiting: null, trying: null };

/** A book that is asked to continue: the chapter comes, unless the tour says otherwise. */
const answerTo = (because: AnyEventObject | null): AnyEventObject =>
  because?.['comes'] === false ? { type: 'interrupted', problem: { kind: 'offline' } } : { type: 'continued' };

/** A message that is closed has no buttons. */
const isOnPage = ({ context }: AnyMachineSnapshot, { type }: AnyEventObject): boolean =>
  !(context as { isHidden: boolean }).isHidden || (type !== 'continue.pressed' && type !== 'interruption.dismissed');

const isPossible = (snapshot: AnyMachineSnapshot, event: AnyEventObject): boolean =>
  event.type !== 'continued' && (event.type !== 'interrupted' || snapshot.value === 'none') && isOnPage(snapshot, event);

/** The message of a book whose next chapter does not come. */
export const stage: Stage = {
  ...inViewer,
  name: 'interruption',
  models: modelsOf('interruption', () => ({
    cases: { interrupted: [{ problem: { kind: 'offline' } }], 'continue.pressed': [{ comes: true }, { comes: false }] },
  })),
  headings: unheaded,
  prepares: (world) => ownCopy(world, 'epub'),
  arrives: async (world) => {
    await expect(world.page.locator('[data-flow="book"] footer')).toContainText('%');
    await stopTime(world);
  },
  reacts: (_, __, to, because) => (to === 'parent' ? answerTo(because) : null),
  isPossible,
  ports: {},
  causes: {
    interrupted: async (world) => {
      await loseChapter(world);
      await regainChapters(world);
    },
    'connection.returned': connectionReturns,
    'continue.pressed': async (world, { comes }) => {
      if (comes === false) await loseChapters(world);
      const failed = comes === false ? world.page.waitForEvent('requestfailed') : null;
      await world.page.locator('[data-event="continue.pressed"]').click();
      await failed;
      await regainChapters(world);
    },
  },
};
