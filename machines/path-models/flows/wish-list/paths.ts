import { wishListMachine } from '../../../browsing/wish-list.ts';
import { described } from '../../description.ts';
import { flowInput, problems, rejections, summary, type PathModel } from '../../path-model.ts';
import { wishListDescription } from './descriptions.ts';

const saved = { savedAt: '2026-01-01T00:00:00.000Z', title: summary };
const answers = [
  described('one', { output: [saved] }, 'Have one title saved by then'),
  described('none', { output: [] }, 'Have no title saved by then'),
];

export const models: PathModel[] = [
  {
    name: 'wishList',
    machine: wishListMachine,
    description: wishListDescription,
    given: 'Signed in, open /wishlist; another tab is open at a title, /id:1008.',
    input: flowInput({ flow: 'wishList', path: '/wishlist' }, { signedIn: true }),
    cases: {
      'xstate.done.actor.savedTitles': answers,
      'xstate.error.actor.savedTitles': rejections(problems.offline),
      'xstate.done.actor.savedTitlesAnew': answers,
      'xstate.error.actor.savedTitlesAnew': rejections(problems.offline),
    },
  },
];
