import { Trans, useLingui } from '@lingui/react/macro';
import { useSelector } from '@xstate/react';
import type { ComponentType, ReactElement } from 'react';
import type { ActorRefFrom, SnapshotFrom } from 'xstate';
import { samplePath, viewerPath } from '../../../machines/model/paths.ts';
import { purchasePath } from '../../../machines/model/purchase-paths.ts';
import { isFree } from '../../../machines/model/catalogue/price.ts';
import type { Title } from '../../../machines/model/catalogue/title.ts';
import type { titleMachine } from '../../../machines/browsing/title.ts';
import { useBrand } from '../../brand/BrandProvider.tsx';
import { formatMoney } from '../../brand/format.ts';
import { Button } from '../../ui/Button.tsx';
import { chakra } from '../../ui/chakra.ts';
import { Spinner } from '../../ui/Loading.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { EventButton } from '../../ui/EventButton.tsx';
import { EventLink } from '../../ui/EventLink.tsx';
import { useCreditsText } from '../../views/lazy/credits-text.ts';
import { ProblemNotice } from '../../views/ProblemNotice.tsx';
import { formatProblem } from '../../views/problem-text.ts';
import { keepFocusInScreen } from '../../ui/keep-focus.ts';
import { usePrice } from '../../views/use-price.ts';
import { AddToCart } from './AddToCart.tsx';
import { SaveForLater } from './SaveForLater.tsx';
import { readLabels, sampleLabels } from './medium-labels.tsx';

type ActionProps = { actor: ActorRefFrom<typeof titleMachine>; title: Title };
type OwnershipState = Extract<SnapshotFrom<typeof titleMachine>['value'], object>['shown']['ownership'];

const Checking = (): ReactElement => (
  <Button size="lg" disabled>
    <Spinner aria-hidden="true" />
    <Trans>One moment…</Trans>
  </Button>
);

const BuyText = ({ title }: { title: Title }): ReactElement => {
  const { i18n } = useLingui();
  const { showsPrices } = useBrand();
  const price = usePrice(title.prices);
  if (isFree(title)) return <Trans>Get it for free</Trans>;
  if (!showsPrices || price === null) return <Trans>Buy</Trans>;
  return <Trans>Buy for {formatMoney(price, i18n.locale)}</Trans>;
};

/** The price in credits, beside the price in money. */
const InCredits = ({ title: { credits, ...title } }: { title: Title }): ReactElement | null => {
  const { t } = useLingui();
  const { store } = useBrand();
  const formatCredits = useCreditsText();
  if (!store.enableBuyWithCredits || credits === undefined || isFree(title)) return null;
  const price = formatCredits({ amount: credits, currency: store.creditCurrency });
  return (
    <chakra.span alignSelf="center" color="inkMuted">
      {t`or ${price}`}
    </chakra.span>
  );
};

const BuyActions = ({ actor, title, look = 'solid' }: ActionProps & { look?: 'solid' | 'outline' }): ReactElement | null => {
  const { sellsTitles } = useBrand();
  if (!sellsTitles) return null;
  return (
    <>
      {isFree(title) ? (
        <EventButton actor={actor} event={{ type: 'buy.pressed' }} deniedLook="hidden" look={look} size="lg">
          <BuyText title={title} />
        </EventButton>
      ) : (
        <EventLink actor={actor} event={{ type: 'buy.pressed' }} href={purchasePath(title.id)} look={look} size="lg">
          <BuyText title={title} />
        </EventLink>
      )}
      <InCredits title={title} />
      <span hidden ref={keepFocusInScreen} />
    </>
  );
};

/** Why a title could not be granted. */
const Problem = ({ actor }: Pick<ActionProps, 'actor'>): ReactElement | null => {
  const problem = useSelector(actor, ({ context }) => context.problem);
  return problem === null ? null : (
    <chakra.div order={1}>
      <ProblemNotice problem={problem}>{formatProblem(problem)}</ProblemNotice>
    </chakra.div>
  );
};

/** The reason why a free title was not granted, and a button to retry. */
const NotGranted = ({ actor, title }: ActionProps): ReactElement => (
  <>
    <BuyActions actor={actor} title={title} />
    <Problem actor={actor} />
  </>
);

const Owned = ({ actor, title }: ActionProps): ReactElement => {
  const { readsHere } = useBrand();
  const instanceId = useSelector(actor, ({ context }) => context.instanceId);
  return readsHere ? (
    <EventLink actor={actor} event={{ type: 'read.pressed' }} href={viewerPath(instanceId ?? '')} size="lg">
      {readLabels[title.medium]}
    </EventLink>
  ) : (
    <Notice tone="success">
      <Trans>This title is in your library. Open it in the app.</Trans>
    </Notice>
  );
};

/**
 * The buttons for a title that the customer's subscription includes: to read it without buying it,
 * or to buy it.
 */
const Included = ({ actor, title }: ActionProps): ReactElement => {
  const instanceId = useSelector(actor, ({ context }) => context.instanceId);
  return (
    <>
      {instanceId === null ? (
        <EventButton actor={actor} event={{ type: 'read.pressed' }} size="lg">
          {readLabels[title.medium]}
        </EventButton>
      ) : (
        <Owned actor={actor} title={title} />
      )}
      <BuyActions actor={actor} title={title} look="outline" />
      <chakra.p order={1} color="inkMuted" flex="1 1 100%">
        <Trans>It’s included in your subscription.</Trans>
      </chakra.p>
    </>
  );
};

/** The reason why a title could not be added to the library, and a button to retry. */
const NotTaken = ({ actor, title }: ActionProps): ReactElement => (
  <>
    <Included actor={actor} title={title} />
    <Problem actor={actor} />
  </>
);

const actionsByState: Record<OwnershipState, ComponentType<ActionProps>> = {
  deciding: Checking,
  checking: Checking,
  notOwned: BuyActions,
  granting: Checking,
  notGranted: NotGranted,
  owned: Owned,
  included: Included,
  taking: Checking,
  notTaken: NotTaken,
};

/** Buttons for buying, reading and sampling, as far as this customer may. */
export const TitleActions = ({ actor, title }: ActionProps): ReactElement => {
  const { readsHere } = useBrand();
  const ownership = useSelector(actor, ({ value }): OwnershipState =>
    typeof value === 'object' ? value.shown.ownership : 'deciding',
  );
  const Action = actionsByState[ownership];
  return (
    <chakra.div
      display="flex"
      flexWrap="wrap"
      gap={3}
      minHeight="3.5rem"
      width={{ base: '100%', md: 'auto' }}
      css={{ '& > *': { flex: { base: '1 1 100%', md: 'none' } } }}
    >
      <Action actor={actor} title={title} />
      {ownership === 'notOwned' ? <AddToCart title={title} /> : null}
      {readsHere && !['owned', 'included', 'notTaken'].includes(ownership) ? (
        <EventLink actor={actor} event={{ type: 'sample.pressed' }} href={samplePath(title.id)} look="outline" size="lg">
          {sampleLabels[title.medium]}
        </EventLink>
      ) : null}
      {ownership === 'owned' ? null : <SaveForLater titleId={title.id} />}
    </chakra.div>
  );
};
