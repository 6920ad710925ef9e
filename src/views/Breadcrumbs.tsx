import { useLingui } from '@lingui/react/macro';
import type { ReactElement } from 'react';
import { categoryPath, listPath } from '../../machines/model/paths.ts';
import type { Category, ListType } from '../../machines/model/catalogue/title.ts';
import { useBrand } from '../brand/BrandProvider.tsx';
import { chakra } from '../ui/chakra.ts';
import { TextLink } from '../ui/TextLink.tsx';
import { findCategoryTrail } from './category-trail.ts';

const Trail = chakra('ol', {
  base: {
    listStyleType: 'none',
    display: 'flex',
    flexWrap: 'wrap',
    columnGap: 2,
    fontSize: 'sm',
    color: 'inkMuted',
    '& li': { display: 'inline-flex', alignItems: 'center', minHeight: 6 },
    '& li, & a': { overflowWrap: 'anywhere' },
    // A wrapped line ends with the slash.
    '& li:not(:last-of-type)::after': { content: '"/"', marginLeft: 2 },
  },
});

type Crumb = { text: string; href: string };

type BreadcrumbsProps = {
  categories: Category[];
  /** The shown category, or the category of the shown title. */
  categoryId: string;
  /** The current page's name, when it is not the category itself. */
  currentPageName?: string;
  /** The kind of title that the links list; all kinds by default. */
  kind?: ListType;
};

/**
 * The links from all titles, or those of a kind, down to the current category; null for a category
 * that is not in the tree.
 */
export const Breadcrumbs = ({ categories, categoryId, currentPageName, kind = 'all' }: BreadcrumbsProps): ReactElement | null => {
  const { t } = useLingui();
  const { listTexts } = useBrand();
  const trail = findCategoryTrail(categories, categoryId);
  if (trail.length === 0) return null;
  const crumbs: Crumb[] = [
    { text: listTexts[kind], href: listPath(kind) },
    ...trail.map((category) => ({ text: category.name, href: categoryPath(category, kind) })),
  ];
  const last = currentPageName ?? crumbs.at(-1)?.text;
  return (
    <nav aria-label={t`Breadcrumb`}>
      <Trail>
        {(currentPageName === undefined ? crumbs.slice(0, -1) : crumbs).map(({ text, href }) => (
          <li key={href}>
            <TextLink href={href}>{text}</TextLink>
          </li>
        ))}
        <li aria-current="page">{last}</li>
      </Trail>
    </nav>
  );
};
