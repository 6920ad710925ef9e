import { plural } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { useSelector } from '@xstate/react';
import type { ReactElement } from 'react';
import { accountPath } from '../../../machines/model/paths.ts';
import { getCustomCreditName } from '../../brand/credits.ts';
import { formatCount } from '../../brand/facts.ts';
import { BarLink } from '../../ui/BarButton.ts';
import { useFrameChild } from '../../views/ownership.ts';

/** The number of the customer's credits, as a link to them; nothing until it is known. */
export const CreditsLink = (): ReactElement | null => {
  const { t, i18n } = useLingui();
  const credits = useSelector(useFrameChild('ownCredits'), (snapshot) =>
    snapshot?.context.isKnown === true ? snapshot.context : undefined,
  );
  if (credits === undefined) return null;
  const { balance: amount, currency } = credits;
  const creditName = getCustomCreditName({ creditCurrency: currency });
  const text =
    creditName === ''
      ? t`${plural(amount, { one: '# Credit', other: '# Credits' })}`
      : `${formatCount(amount, i18n.locale)} ${creditName}`;
  return (
    <BarLink
      href={accountPath('credits')}
      data-credits={amount}
      // Narrow windows have room for one word in a line.
      width={{ base: 'min-content', md: 'auto' }}
      maxWidth={{ base: '5rem', md: '12rem' }}
      whiteSpace={{ base: 'normal', md: 'nowrap' }}
      wordBreak="keep-all"
      overflow="hidden"
      textOverflow="ellipsis"
      textAlign="center"
      fontSize={{ base: 'xs', md: 'md' }}
      lineHeight="1.3"
      fontVariantNumeric="tabular-nums"
    >
      {text}
    </BarLink>
  );
};
