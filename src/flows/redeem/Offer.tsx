import { plural } from '@lingui/core/macro';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useSelector } from '@xstate/react';
import type { ReactElement, ReactNode } from 'react';
import type { ActorRefFrom } from 'xstate';
import type { redeemMachine } from '../../../machines/buying/redeem.ts';
import type { CodeOffer } from '../../../machines/model/buying/redeem.ts';
import type { PlanInterval } from '../../../machines/model/buying/subscription.ts';
import type { TitleSummary } from '../../../machines/model/catalogue/title.ts';
import { useBrand } from '../../brand/BrandProvider.tsx';
import { getCustomCreditName } from '../../brand/credits.ts';
import { chakra } from '../../ui/chakra.ts';
import { EventButton } from '../../ui/EventButton.tsx';
import { Spinner } from '../../ui/Loading.tsx';
import { Page, Sheet } from '../../ui/Page.tsx';
import { InLibrary } from '../../views/InLibrary.tsx';
import { keepFocusInScreen } from '../../ui/keep-focus.ts';
import { TitleLine, TitleList } from './TitleLine.tsx';

export type Props = { actor: ActorRefFrom<typeof redeemMachine> };

/** A code's credits, in the store's own word for them. */
export const OfferedCredits = ({ credits }: { credits: number }): ReactElement => {
  const { store } = useBrand();
  const currency = getCustomCreditName(store);
  return currency === '' ? (
    <Plural value={credits} one="# Credit" other="# Credits" />
  ) : (
    <>
      {credits} {currency}
    </>
  );
};

const freePeriodTexts: Record<PlanInterval, ReactElement> = {
  week: <Trans>One week of this subscription is free. No card needed. It ends automatically.</Trans>,
  month: <Trans>One month of this subscription is free. No card needed. It ends automatically.</Trans>,
  quarter: <Trans>Three months of this subscription are free. No card needed. It ends automatically.</Trans>,
  year: <Trans>One year of this subscription is free. No card needed. It ends automatically.</Trans>,
};

const formatFreePeriod = (interval: PlanInterval | null): ReactElement =>
  interval === null ? (
    <Trans>The first period of this subscription is free. No card needed. It ends automatically.</Trans>
  ) : (
    freePeriodTexts[interval]
  );

/** A code's benefit, under its heading. */
const OfferContents = ({ offer }: { offer: CodeOffer }): ReactElement | null => {
  const { kind, titles, plan, trialDays, credits } = offer;
  const [title] = titles;
  if (kind === 'credits')
    return (
      <chakra.p fontSize="xl" fontWeight={600}>
        <OfferedCredits credits={credits} />
      </chakra.p>
    );
  if (kind === 'subscription')
    return plan === null ? null : (
      <>
        <chakra.h2 fontSize="xl" overflowWrap="anywhere">
          {plan.name}
        </chakra.h2>
        {trialDays === 0 ? null : (
          <p>
            {trialDays === null ? (
              formatFreePeriod(plan.interval)
            ) : (
              <Plural
                value={trialDays}
                one="The first day is free. You’ll need to add a card, but it won’t be charged before then."
                other="The first # days are free. You’ll need to add a card, but it won’t be charged until they’re over."
              />
            )}
          </p>
        )}
      </>
    );
  if (kind === 'bundle')
    return (
      <TitleList>
        {titles.map((bundleTitle) => (
          <li key={bundleTitle.id}>
            <TitleLine title={bundleTitle}>{offer.owned.includes(bundleTitle.id) ? <InLibrary /> : null}</TitleLine>
          </li>
        ))}
      </TitleList>
    );
  return title === undefined ? null : <TitleLine title={title} />;
};

const Heading = ({ offer }: { offer: CodeOffer }): ReactElement => {
  const { t, i18n } = useLingui();
  const percent = i18n.number(offer.percentOff / 100, { style: 'percent' });
  if (offer.kind === 'discount') return <Trans>Your code takes {percent} off</Trans>;
  if (offer.kind === 'subscription') return <Trans>Your code gives you a subscription</Trans>;
  if (offer.kind === 'credits') return <Trans>Your code gives you credits</Trans>;
  if (offer.pii !== undefined) {
    const { giver } = offer.pii;
    const { length } = offer.titles;
    return offer.kind === 'bundle' ? (
      <>{t`${giver} is giving you ${plural(length, { one: '# title', other: '# titles' })}`}</>
    ) : (
      <Trans>{giver} is giving you a title</Trans>
    );
  }
  if (offer.kind === 'bundle') return <Trans>Your code gives you these titles</Trans>;
  return offer.kind === 'titles' ? <Trans>Choose a title</Trans> : <Trans>Your code gives you a title</Trans>;
};

const AnotherCode = ({ actor }: Props): ReactElement => (
  <EventButton actor={actor} event={{ type: 'another.pressed' }} look="outline">
    <Trans>Enter another code</Trans>
  </EventButton>
);

/** The page of a code's benefit: heading, the goods, and the buttons. */
const OfferPage = ({ offer, actions, children }: { offer: CodeOffer; actions: ReactNode; children: ReactNode }): ReactElement => (
  <Page width="text" display="grid" gap={6}>
    <chakra.h1 fontSize="3xl">
      <Heading offer={offer} />
    </chakra.h1>
    {children}
    <chakra.div display="flex" flexWrap="wrap" gap={3}>
      {actions}
    </chakra.div>
  </Page>
);

type UnusedProps = { signedIn: boolean; isGift?: boolean; isSeveral?: boolean };

const UnusedNote = ({ signedIn, isGift = false, isSeveral = false }: UnusedProps): ReactElement => (
  <p>
    {isGift && isSeveral ? (
      signedIn ? (
        <Trans>Press “Redeem” to add them to your library.</Trans>
      ) : (
        <Trans>Sign in to add them to your library. Creating an account is free.</Trans>
      )
    ) : isGift ? (
      signedIn ? (
        <Trans>Press “Redeem” to add it to your library.</Trans>
      ) : (
        <Trans>Sign in to add it to your library. Creating an account is free.</Trans>
      )
    ) : signedIn ? (
      <Trans>Your code hasn’t been used yet.</Trans>
    ) : (
      <Trans>Your code hasn’t been used yet. To use it, you need to be signed in.</Trans>
    )}
  </p>
);

/** The button that redeems, with `children` as its text, and the alternatives. */
const RedeemActions = ({ actor, children }: Props & { children: ReactElement }): ReactElement => {
  const busy = useSelector(actor, (state) => state.hasTag('busy'));
  return (
    <>
      <EventButton actor={actor} event={{ type: 'redeem.pressed' }}>
        {busy ? <Spinner aria-hidden /> : null}
        {children}
      </EventButton>
      <AnotherCode actor={actor} />
      <span hidden ref={keepFocusInScreen} />
    </>
  );
};

/** A benefit that one press redeems; the button shows the progress until the response. */
export const Offered = ({ actor }: Props): ReactElement | null => {
  const { offer, signedIn } = useSelector(actor, ({ context }) => context);
  if (offer === null) return null;
  if (offer.kind === 'titles') return <Choosing actor={actor} />;
  return (
    <OfferPage
      offer={offer}
      actions={
        <RedeemActions actor={actor}>{signedIn ? <Trans>Redeem</Trans> : <Trans>Sign in and redeem</Trans>}</RedeemActions>
      }
    >
      <Sheet display="grid" gap={3}>
        <OfferContents offer={offer} />
        {offer.pii === undefined || offer.pii.message === '' ? null : (
          <chakra.blockquote
            whiteSpace="pre-line"
            overflowWrap="anywhere"
            borderLeft="3px solid"
            borderColor="accent"
            pl={4}
            my={2}
          >
            {offer.pii.message}
          </chakra.blockquote>
        )}
      </Sheet>
      <UnusedNote signedIn={signedIn} isGift={offer.pii !== undefined} isSeveral={offer.kind === 'bundle'} />
    </OfferPage>
  );
};

/** The button that chooses a title. */
const Choice = ({ actor, title }: Props & { title: TitleSummary }): ReactElement => {
  const { t } = useLingui();
  const isChosen = useSelector(actor, ({ context }) => context.chosen === title.id);
  const { name } = title;
  return (
    <EventButton
      actor={actor}
      event={{ type: 'title.chosen', titleId: title.id }}
      data-value={title.id}
      size="sm"
      look={isChosen ? 'solid' : 'outline'}
      aria-pressed={isChosen}
      aria-label={isChosen ? t`Chosen: ${name}` : t`Choose: ${name}`}
    >
      {isChosen ? <Trans>Chosen</Trans> : <Trans>Choose</Trans>}
    </EventButton>
  );
};

/** The titles of a code that gives one of several, each with a button that chooses it. */
export const Choosing = ({ actor }: Props): ReactElement | null => {
  const { offer, signedIn } = useSelector(actor, ({ context }) => context);
  if (offer === null) return null;
  return (
    <OfferPage
      offer={offer}
      actions={
        <RedeemActions actor={actor}>
          {signedIn ? <Trans>Redeem for this title</Trans> : <Trans>Sign in and choose</Trans>}
        </RedeemActions>
      }
    >
      <p>
        <Trans>Your code gives you one of these titles.</Trans>
      </p>
      <chakra.ul
        listStyleType="none"
        display="grid"
        gap={4}
        gridTemplateColumns="repeat(auto-fill, minmax(min(18rem, 100%), 1fr))"
      >
        {offer.titles.map((title) => (
          <chakra.li key={title.id}>
            <Sheet height="100%">
              <TitleLine title={title}>
                {offer.owned.includes(title.id) ? <InLibrary /> : signedIn ? <Choice actor={actor} title={title} /> : null}
              </TitleLine>
            </Sheet>
          </chakra.li>
        ))}
      </chakra.ul>
      <UnusedNote signedIn={signedIn} />
    </OfferPage>
  );
};

/** A benefit that applies when the customer pays. */
export const Payable = ({ actor }: Props): ReactElement | null => {
  const offer = useSelector(actor, ({ context }) => context.offer);
  if (offer === null) return null;
  const { kind, titles } = offer;
  return (
    <OfferPage
      offer={offer}
      actions={
        <>
          <EventButton actor={actor} event={{ type: 'continue.pressed' }}>
            {kind === 'subscription' ? (
              <Trans>Continue to the subscription</Trans>
            ) : titles.length > 0 ? (
              <Trans>Continue to payment</Trans>
            ) : (
              <Trans>See all titles</Trans>
            )}
          </EventButton>
          <AnotherCode actor={actor} />
        </>
      }
    >
      {kind === 'discount' && titles.length === 0 ? (
        <p>
          <Trans>It comes off the next title that you buy here.</Trans>
        </p>
      ) : (
        <Sheet display="grid" gap={3}>
          <OfferContents offer={offer} />
        </Sheet>
      )}
      <p>
        <Trans>Your code is used when you pay, and not before.</Trans>
      </p>
    </OfferPage>
  );
};
