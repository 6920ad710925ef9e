import { expect, type Locator } from '@playwright/test';
import type { AnyEventObject } from 'xstate';
import type { Medium } from '../../../machines/model/title.ts';
import type { PathModel } from '../../support/path-model.ts';
import { models } from './paths.ts';
import type { Port, Stage, World } from '../../e2e/tours/stage.ts';
import { json } from '../../e2e/tours/wires.ts';
import { stopTime } from '../../e2e/tours/causes.ts';

/** A demo title of each medium. */
export const demoTitle = { epub: '1001', pdf: '1016', audio: '1019', video: '1022', interactive: '1024' } satisfies Record<
  Medium,
  string
>;

export const modelsOf = (name: string, part: (model: PathModel) => Partial<PathModel>): PathModel[] =>
  models.filter((model) => model.name === name).map((model) => ({ ...model, ...part(model) }));

/** The viewer's address for the customer's own copy of the demo title. */
export const ownCopy = async ({ customer }: World, medium: Medium): Promise<string> => {
  const reader = await customer();
  await reader.buys(demoTitle[medium]);
  return `/viewer?instanceid=${await reader.instanceOf(demoTitle[medium])}`;
};

/** Where every player within the viewer is toured. */
export const inViewer: Pick<Stage, 'address' | 'arrives'> = {
  address: () => '/viewer?instanceid=i1',
  arrives: ({ flow }) => flow.waitFor(),
};

const saving = (url: URL, method: string): boolean => url.pathname.endsWith('/viewer/progress') && method === 'POST';

/** The request that keeps the customer's place. */
export const savePort: Port = {
  asks: saving,
  answer: () => json({}),
  serverGives: ({ type }) => type.startsWith('xstate.done.'),
};

/** Closes a player whose place is not kept yet: how long it waits for that is for the tour to say. */
export const close = async (world: World): Promise<void> => {
  await stopTime(world);
  await world.flow.locator('[data-event="close.pressed"]').first().click();
};

/** Goes to a book's last page by the slider, and turns on until there is nothing to turn to. */
export const readToTheEnd = async (book: Locator): Promise<void> => {
  await book.getByRole('slider').press('End');
  await expect(async () => {
    const isAtEnd = async () => (await book.getAttribute('data-state'))?.includes('"page":"ended"');
    if (await isAtEnd()) return;
    await book.locator('[data-event="turn.pressed"][data-value="next"]').click();
    expect(await isAtEnd()).toBe(true);
  }).toPass();
};

/** Lets what a player asks for come, or breaks it off. */
export const settled = (port: string, problem?: { kind: 'offline' }): AnyEventObject =>
  problem ? { type: `xstate.error.actor.${port}`, error: problem } : { type: `xstate.done.actor.${port}` };
