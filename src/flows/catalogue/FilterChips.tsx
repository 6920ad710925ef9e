import { useLingui, Trans } from '@lingui/react/macro';
import { useSelector } from '@xstate/react';
import type { ReactElement } from 'react';
import type { ActorRefFrom } from 'xstate';
import { listPath } from '../../../machines/model/paths.ts';
import type { catalogueMachine } from '../../../machines/browsing/catalogue.ts';
import { pathWith, type ListQuery, priceParameters } from '../../../machines/model/list.ts';
import { useBrand } from '../../brand/BrandProvider.tsx';
import { chakra } from '../../ui/chakra.ts';
import { TextLink } from '../../ui/TextLink.tsx';
import { Icon } from '../../ui/Icon.tsx';

/** The part of an address that narrows a list within its category, taken away. */
export const without = { search: '', pricefrom: '', priceto: '', free: '' } as const;

export const isNarrowed = ({ priceFrom, priceTo, free }: ListQuery): boolean => priceFrom !== null || priceTo !== null || free;

/** A link that narrows a list, or widens it again. */
export const Chip = chakra(TextLink, {
  base: {
    display: 'inline-flex',
    alignItems: 'center',
    gap: 2,
    minHeight: 10,
    px: 4,
    bg: 'surface',
    border: '1px solid',
    borderColor: 'lineStrong',
    borderRadius: 'full',
    fontSize: 'sm',
    fontWeight: 500,
    _hover: { bg: 'accentSoft' },
    maxWidth: '100%',
    overflowWrap: 'anywhere',
    '&[aria-current]': { bg: 'accent', borderColor: 'accent', color: 'accentText' },
  },
});

/** The same list of another kind of title: category, search and sort stay. */
export const TypeChips = ({ actor }: { actor: ActorRefFrom<typeof catalogueMachine> }): ReactElement => {
  const { t } = useLingui();
  const { lists, listTexts } = useBrand();
  const path = useSelector(actor, ({ context }) => pathWith(context.route, {}));
  const type = useSelector(actor, ({ context }) => context.query.type);
  const rest = path.replace(/^\/[^/?]*/, '');
  return (
    <chakra.nav aria-label={t`Type of title`} display="flex" flexWrap="wrap" gap={2}>
      {lists.map((list) => (
        <Chip key={list} href={listPath(list) + rest} look="plain" aria-current={list === type ? 'page' : undefined}>
          {list === 'all' ? t`All` : listTexts[list]}
        </Chip>
      ))}
    </chakra.nav>
  );
};

const Text = chakra('span', { base: { overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' } });

/** What the list is narrowed by, each with a way to take it away; nothing while it is whole. */
export const ActiveFilters = ({ actor }: { actor: ActorRefFrom<typeof catalogueMachine> }): ReactElement | null => {
  const { t, i18n } = useLingui();
  const route = useSelector(actor, ({ context }) => context.route);
  const { search, priceFrom, priceTo, free } = useSelector(actor, ({ context }) => context.query);
  // Prices may stand in the address the other way round: without the one, the other has to stay what it is read as.
  const prices = priceParameters({ priceFrom, priceTo });
  const amount = (value: number): string => new Intl.NumberFormat(i18n.locale, { minimumFractionDigits: 2 }).format(value);
  const [least, most] = [amount(priceFrom ?? 0), amount(priceTo ?? 0)];
  const active: ({ text: string; off: Record<string, string> } | null)[] = [
    search === '' ? null : { text: t`Search: ${search}`, off: { search: '' } },
    priceFrom === null ? null : { text: t`From ${least}`, off: { ...prices, pricefrom: '' } },
    priceTo === null ? null : { text: t`Up to ${most}`, off: { ...prices, priceto: '' } },
    free ? { text: t`Free`, off: { ...prices, free: '' } } : null,
  ];
  const shown = active.filter((filter) => filter !== null);
  if (shown.length === 0) return null;
  return (
    <chakra.nav aria-label={t`Active filters`} display="flex" flexWrap="wrap" alignItems="center" gap={2}>
      {shown.map(({ text, off }) => (
        <Chip key={text} href={pathWith(route, off)} look="plain" aria-label={t`Remove ${text}`}>
          <Text>{text}</Text>
          <Icon name="close" size={16} />
        </Chip>
      ))}
      <TextLink href={pathWith(route, without)} fontSize="sm" px={2} py={2}>
        <Trans>Clear all</Trans>
      </TextLink>
    </chakra.nav>
  );
};
