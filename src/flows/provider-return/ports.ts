import { providerReturnMachine, type BegunWay } from '../../../machines/account/provider-return.ts';
import type { CameBy } from '../../../machines/app/session.ts';
import { requestPort, safePort } from '../../../machines/ports.ts';
import { joinProvider } from '../../client/account/own-providers.ts';
import { finishProviderSignIn } from '../../client/account/providers.ts';
import { raise } from '../../client/wire/problem.ts';
import { startSession, thisDevice } from '../../client/account/start-session.ts';
import { answerInAddress, type ProviderAnswer } from '../../history/answer-in-address.ts';
import { withheld } from '../../history/withheld.ts';
import { takeBegunSignIn, type BegunSignIn } from '../../storage/begun-sign-in.ts';
import type { World } from '../../shell/app/world.ts';

const refused = (code: string): never => raise({ kind: 'refused', code, message: '' });

type Taken = { answer: ProviderAnswer; begun: BegunSignIn };

/** The answer that has come back to a sign-in of this tab, until it is finished. */
const takenAnswer = () => {
  let taken: Taken | null = null;
  return {
    keep: (answer: Taken | null): void => void (taken = answer),
    /** @throws Problem for what the provider, or nobody, has said */
    takeOnce: (): Taken => {
      const once = taken;
      taken = null;
      if (once === null) return refused('sign_in_over');
      if (once.answer.error === 'access_denied') return refused('provider_cancelled');
      if (once.answer.error !== '' || once.answer.code === '') return refused('provider_refused');
      return once;
    },
  };
};

export const flow = ({ api, own }: World) =>
  providerReturnMachine.provide({
    actors: {
      takeAnswer: safePort<BegunWay | null>(
        async () => {
          const answer = answerInAddress();
          // Somebody else's answer, slipped to this browser, would sign it in to somebody else's account.
          const begun = takeBegunSignIn(answer.state);
          own(takenAnswer).keep(begun && { answer, begun });
          if (begun?.wholePath !== undefined) own(withheld).withhold(begun.way.path, begun.wholePath);
          return begun && (begun.joins === true ? { ...begun.way, joins: true } : begun.way);
        },
        () => null,
      ),
      finishSignIn: requestPort<CameBy>(async ({ signal }) => {
        const { answer, begun } = own(takenAnswer).takeOnce();
        const session = await finishProviderSignIn(await api(), answer, thisDevice());
        // Who has gone elsewhere in the meantime stays a visitor.
        signal.throwIfAborted();
        return startSession(session, begun.remember);
      }),
      joinProvider: requestPort<object>(async () => joinProvider(await api(), own(takenAnswer).takeOnce().answer)),
    },
  });
