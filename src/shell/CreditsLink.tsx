import { plural } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { useSelector } from '@xstate/react';
import type { ReactElement } from 'react';
import { accountPath } from '../../machines/model/paths.ts';
import { ownCurrency } from '../brand/credits.ts';
import { count } from '../brand/facts.ts';
import { BarLink } from '../ui/BarButton.ts';
import { TextLink } from '../ui/TextLink.tsx';
import { useFrameChild } from '../views/owned.ts';

/** How many credits the customer has, and what that is called; undefined while it is not known. */
const useOwnCredits = (): { amount: number; text: string } | undefined => {
  const { t, i18n } = useLingui();
  const known = useSelector(useFrameChild('ownCredits'), (snapshot) =>
    snapshot?.context.isKnown === true ? snapshot.context : undefined,
  );
  if (known === undefined) return undefined;
  const { balance: amount, currency } = known;
  const own = ownCurrency({ creditCurrency: currency });
  const text =
    own === '' ? t`${plural(amount, { one: '# credit', other: '# credits' })}` : `${count(amount, i18n.locale)} ${own}`;
  return { amount, text };
};

/** The way to the customer's credits, in the top bar; nothing while these are not known. */
export const CreditsLink = (): ReactElement | null => {
  const credits = useOwnCredits();
  if (credits === undefined) return null;
  return (
    <BarLink
      href={accountPath('credits')}
      data-credits={credits.amount}
      maxWidth="12rem"
      whiteSpace="nowrap"
      overflow="hidden"
      textOverflow="ellipsis"
      fontVariantNumeric="tabular-nums"
    >
      {credits.text}
    </BarLink>
  );
};

/** The same in the menu of the account, for windows whose bar has no room for it. */
export const CreditsInMenu = (): ReactElement | null => {
  const credits = useOwnCredits();
  if (credits === undefined) return null;
  return (
    <TextLink href={accountPath('credits')} display={{ md: 'none' }}>
      {credits.text}
    </TextLink>
  );
};
