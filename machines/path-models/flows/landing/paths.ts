import { landingMachine } from '../../../browsing/landing.ts';
import { flowInput, problems, rejected, rejections, summary, type PathModel } from '../../path-model.ts';
import { landingDescription } from './descriptions.ts';
import { described } from '../../description.ts';

const owned = { instanceId: 'i1', purchasedAt: '2026-01-01T00:00:00Z', title: summary };
const begun = { ...owned, lastOpenedAt: '2026-01-02T00:00:00Z', progress: 0.4 };

const landing = (part: Pick<PathModel, 'given' | 'input'>): PathModel => ({
  name: 'landing',
  machine: landingMachine,
  description: landingDescription,
  cases: {
    'xstate.done.actor.begun': [
      described(
        'one that is not finished',
        { output: [begun] },
        'Get the free title 1011, read a few pages, and close the viewer',
      ),
      described('nothing was begun', { output: [] }, 'Take a customer who has opened no title'),
    ],
    'xstate.error.actor.begun': [rejected(problems.offline, 'Block `user/purchases`')],
    'xstate.done.actor.carousels': [
      described('with titles', { output: [{ type: 'all', titles: [summary], total: 1 }] }),
      described('there are none', { output: [] }, 'Override `titles` with the answer of the step'),
    ],
    'xstate.error.actor.carousels': rejections(problems.offline),
  },
  ...part,
});

export const models: PathModel[] = [
  landing({ given: 'As a visitor, open /.', input: flowInput() }),
  landing({ given: 'Signed in, open /.', input: flowInput({}, { signedIn: true }) }),
];
