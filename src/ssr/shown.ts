import type { SnapshotFrom } from 'xstate';
import type { campaignMachine } from '../../machines/browsing/campaign.ts';
import type { catalogueMachine } from '../../machines/browsing/catalogue.ts';
import type { landingMachine } from '../../machines/browsing/landing.ts';
import type { RenderedPage } from '../../machines/model/store/server-rendering.ts';
import { titlePath } from '../../machines/model/paths.ts';
import type { AppActor, ScreenActor } from '../views/app-actor.ts';

type ScreenFacts = Pick<RenderedPage, 'changesAt' | 'firstTitle' | 'next'>;

const noFacts: ScreenFacts = { changesAt: [], firstTitle: null, next: null };

type FactsReader<Machine> = (snapshot: SnapshotFrom<Machine>) => Partial<ScreenFacts>;

const landing: FactsReader<typeof landingMachine> = ({ context: { shelves } }) => {
  const [title] = shelves.flatMap(({ titles }) => titles);
  return { firstTitle: title ? titlePath(title.id, title.name) : null };
};

const catalogue: FactsReader<typeof catalogueMachine> = ({ context: { page } }) => ({ next: page?.behindFirst ?? null });

const campaign: FactsReader<typeof campaignMachine> = ({ context: { campaign: shown } }) => ({
  changesAt: shown === null ? [] : [shown.startsAt, shown.endsAt].filter((moment) => moment !== ''),
});

/** By flow name. */
const factsReaders: Readonly<Record<string, FactsReader<never>>> = { landing, catalogue, campaign };

/** Facts about a screen that the server needs besides its markup, from its flow's machine. */
export const readScreenFacts = (app: AppActor): ScreenFacts => {
  const screen = (app.getSnapshot().children.screen as ScreenActor | undefined)?.getSnapshot();
  const read = factsReaders[screen?.context.flow ?? ''];
  const flow = screen?.children.flow?.getSnapshot();
  return read && flow ? { ...noFacts, ...read(flow as never) } : noFacts;
};
