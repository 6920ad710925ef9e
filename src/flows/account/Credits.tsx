import { Trans } from '@lingui/react/macro';
import { useSelector } from '@xstate/react';
import type { ReactElement } from 'react';
import type { ActorRefFrom, StateValueFrom } from 'xstate';
import type { creditsMachine } from '../../../machines/account/credits.ts';
import { chakra } from '../../ui/chakra.ts';
import { Loading } from '../../ui/Loading.tsx';
import { LoadFailure } from '../../views/LoadFailure.tsx';
import { useCreditsText } from '../../views/late/credits-text.ts';
import { Wanted } from './Wanted.tsx';
import { Section } from './Section.tsx';

type Props = { actor: ActorRefFrom<typeof creditsMachine> };

const Fetching = (): ReactElement => (
  <Loading>
    <Trans>Loading your credits…</Trans>
  </Loading>
);

/** As many as there are, in the store's own word for them. */
const Shown = ({ actor }: Props): ReactElement | null => {
  const textOf = useCreditsText();
  const credits = useSelector(actor, ({ context }) => context.credits);
  if (credits === null) return null;
  return (
    <chakra.p fontWeight={600} overflowWrap="anywhere">
      {textOf({ amount: credits.balance, currency: credits.currency })}
    </chakra.p>
  );
};

const Failed = ({ actor }: Props): ReactElement => (
  <LoadFailure actor={actor} level={2} heading={<Trans>We couldn’t load your credits</Trans>} />
);

const screens: Record<StateValueFrom<typeof creditsMachine>, ((props: Props) => ReactElement | null) | null> = {
  loading: Fetching,
  shown: Shown,
  none: null,
  failed: Failed,
};

/** How many credits the customer has; nothing where the store knows none. */
export const Credits = ({ actor }: Props): ReactElement => {
  const value = useSelector(actor, (state) => state.value);
  const Screen = screens[value];
  if (Screen === null) return <div hidden data-flow="credits" data-state={JSON.stringify(value)} />;
  return (
    <Section name="credits" value={value} heading={<Trans>Credits</Trans>}>
      {/* Who comes by their number in the top bar came for them. */}
      {value === 'loading' ? null : <Wanted part="credits" />}
      <Screen actor={actor} />
    </Section>
  );
};
