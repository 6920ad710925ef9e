import { providerReturnMachine, type BegunWay } from '../../../machines/account/provider-return.ts';
import type { CameBy } from '../../../machines/app/session.ts';
import { requestPort, safePort } from '../../../machines/ports.ts';
import { api } from '../../client/open-client.ts';
import { joinProvider } from '../../client/own-providers.ts';
import { finishProviderSignIn } from '../../client/providers.ts';
import { raise } from '../../client/problem.ts';
import { startSession, thisDevice } from '../../client/start-session.ts';
import { answerInAddress, type ProviderAnswer } from '../../history/answer-in-address.ts';
import { withhold } from '../../history/withheld.ts';
import { takeBegunSignIn, type BegunSignIn } from '../../storage/begun-sign-in.ts';

const refused = (code: string): never => raise({ kind: 'refused', code, message: '' });

/** The answer that has come back to a sign-in of this tab, until it is finished. */
let taken: { answer: ProviderAnswer; begun: BegunSignIn } | null = null;

/** @throws Problem for what the provider, or nobody, has said */
const takenOnce = () => {
  if (taken === null) return refused('sign_in_over');
  const once = taken;
  taken = null;
  if (once.answer.error === 'access_denied') return refused('provider_cancelled');
  if (once.answer.error !== '' || once.answer.code === '') return refused('provider_refused');
  return once;
};

export const flow = providerReturnMachine.provide({
  actors: {
    takeAnswer: safePort<BegunWay | null>(
      async () => {
        const answer = answerInAddress();
        // Somebody else's answer, slipped to this browser, would sign it in to somebody else's account.
        const begun = takeBegunSignIn(answer.state);
        taken = begun && { answer, begun };
        if (begun?.wholePath !== undefined) withhold(begun.way.path, begun.wholePath);
        return begun && (begun.joins === true ? { ...begun.way, joins: true } : begun.way);
      },
      () => null,
    ),
    finishSignIn: requestPort<CameBy>(async ({ signal }) => {
      const { answer, begun } = takenOnce();
      const session = await finishProviderSignIn(await api(), answer, thisDevice());
      // Who has gone elsewhere in the meantime stays a visitor.
      signal.throwIfAborted();
      return startSession(session, begun.remember);
    }),
    joinProvider: requestPort<object>(async () => joinProvider(await api(), takenOnce().answer)),
  },
});
