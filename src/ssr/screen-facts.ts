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

const readLandingFacts: FactsReader<typeof landingMachine> = ({ context: { shelves } }) => {
  const [title] = shelves.flatMap(({ titles }) => titles);
  return { firstTitle: title ? titlePath(title.id, title.name) : null };
};

const readCatalogueFacts: FactsReader<typeof catalogueMachine> = ({ context: { page } }) => ({ next: page?.behindFirst ?? null });

const readCampaignFacts: FactsReader<typeof campaignMachine> = ({ context: { campaign: shown } }) => ({
  changesAt: shown === null ? [] : [shown.startsAt, shown.endsAt].filter((moment) => moment !== ''),
});

/** Readers of facts, by the name of the flow. */
const factsReaders: Readonly<Record<string, FactsReader<never>>> = {
  landing: readLandingFacts,
  catalogue: readCatalogueFacts,
  campaign: readCampaignFacts,
};

/** Facts about a screen that the server needs besides its markup, from its flow's machine. */
export const readScreenFacts = (app: AppActor): ScreenFacts => {
  const screen = (app.getSnapshot().children.screen as ScreenActor | undefined)?.getSnapshot();
  const readFacts = factsReaders[screen?.context.flow ?? ''];
  const flow = screen?.children.flow?.getSnapshot();
  return readFacts && flow ? { ...noFacts, ...readFacts(flow as never) } : noFacts;
};
