import { wishListMachine } from '../../../browsing/wish-list.ts';
import { describeCase } from '../../description.ts';
import { createFlowInput, problems, toRejectionCases, titleSummary, type PathModel } from '../../path-model.ts';
import { wishListDescription } from './descriptions.ts';

const savedTitle = { savedAt: '2026-01-01T00:00:00.000Z', title: titleSummary };
const savedTitleCases = [
  describeCase('one', { output: [savedTitle] }, 'Have one title saved by then'),
  describeCase('none', { output: [] }, 'Have no title saved by then'),
];

export const models: PathModel[] = [
  {
    name: 'wishList',
    machine: wishListMachine,
    description: wishListDescription,
    startInstruction: 'Signed in, open /wishlist; another tab is open at a title, /id:1008.',
    input: createFlowInput({ flow: 'wishList', path: '/wishlist' }, { signedIn: true }),
    cases: {
      'xstate.done.actor.savedTitles': savedTitleCases,
      'xstate.error.actor.savedTitles': toRejectionCases(problems.offline),
      'xstate.done.actor.reloadSavedTitles': savedTitleCases,
      'xstate.error.actor.reloadSavedTitles': toRejectionCases(problems.offline),
    },
  },
];
