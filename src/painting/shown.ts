import type { SnapshotFrom } from 'xstate';
import type { campaignMachine } from '../../machines/browsing/campaign.ts';
import type { catalogueMachine } from '../../machines/browsing/catalogue.ts';
import type { landingMachine } from '../../machines/browsing/landing.ts';
import type { Painted } from '../../machines/model/store/painting.ts';
import { titlePath } from '../../machines/model/paths.ts';
import type { AppActor, ScreenActor } from '../views/app-actor.ts';

type Shown = Pick<Painted, 'changesAt' | 'firstTitle' | 'next'>;

const nothing: Shown = { changesAt: [], firstTitle: null, next: null };

type Reading<Machine> = (snapshot: SnapshotFrom<Machine>) => Partial<Shown>;

const landing: Reading<typeof landingMachine> = ({ context: { shelves } }) => {
  const [title] = shelves.flatMap(({ titles }) => titles);
  return { firstTitle: title ? titlePath(title.id, title.name) : null };
};

const catalogue: Reading<typeof catalogueMachine> = ({ context: { page } }) => ({ next: page?.behindFirst ?? null });

const campaign: Reading<typeof campaignMachine> = ({ context: { campaign: shown } }) => ({
  changesAt: shown === null ? [] : [shown.startsAt, shown.endsAt].filter((moment) => moment !== ''),
});

/** By the names of flows. */
const readings: Readonly<Record<string, Reading<never>>> = { landing, catalogue, campaign };

/** Facts about a screen that the server needs besides its markup, from its flow's machine. */
export const shownBy = (app: AppActor): Shown => {
  const screen = (app.getSnapshot().children.screen as ScreenActor | undefined)?.getSnapshot();
  const read = readings[screen?.context.flow ?? ''];
  const flow = screen?.children.flow?.getSnapshot();
  return read && flow ? { ...nothing, ...read(flow as never) } : nothing;
};
