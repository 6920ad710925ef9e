import { defineFlow, type RouteDefinition } from './flow-definition.ts';
import { listParameters } from '../model/catalogue/list-parameters.ts';
import { shelfQueries } from '../model/paths.ts';

/**
 * The route of a list of all titles with a path of its own. The name is used for the window's
 * title, search engines and the heading.
 */
const createShelfRoute = (path: string, name: string): RouteDefinition => ({
  // Same screen as `/all`: a filter that changes the path to `/all` keeps the list and the focus.
  pattern: path.replace('/all', '/{type:all}'),
  query: shelfQueries[path] ?? {},
  name,
  indexed: true,
  listed: [{ path }],
  examples: [path],
});

export const catalogue = defineFlow({
  name: 'catalogue',
  machine: 'browsing/catalogue',
  serverRendered: true,
  reads: listParameters,
  routes: [
    {
      pattern: '/catalog/titles/{catalog}',
      hides: ['subscribe'],
      indexed: true,
      spec: ['S2./catalog/titles'],
      examples: ['/catalog/titles/printed'],
    },
    {
      pattern: '/titleset/titles/{titleset}',
      hides: ['subscribe'],
      indexed: true,
      spec: ['S2./titleset/titles'],
      examples: ['/titleset/titles/summer'],
    },
    createShelfRoute('/all/new', 'New titles'),
    createShelfRoute('/all/popular', 'Popular titles'),
    createShelfRoute('/all/free', 'Free titles'),
    {
      pattern: '/{type:all|ebook|audio|video}/{category?}',
      indexed: true,
      listed: [
        { path: '/all' },
        { path: '/ebook', where: 'EnableEbook' },
        { path: '/audio', where: 'EnableAudioTitle' },
        { path: '/video', where: 'EnableVideoTitle' },
      ],
      spec: ['S2./all', 'S2./audio', 'S2./ebook', 'S2./video', 'S2.title-by-type'],
      examples: ['/all', '/audio', '/ebook', '/video', '/all/novels', '/audio/%C3%89clair-of-Winter'],
    },
    {
      pattern: '/{type:all|ebook|audio|video}/{parent}/{category}',
      indexed: true,
      spec: ['S2.category'],
      examples: ['/ebook/x/tag-novels', '/audio/x/sound'],
    },
    {
      pattern: '/{type:all|ebook|audio|video}/{root}/{parent}/{category}',
      indexed: true,
      spec: ['S2.sub-category'],
      examples: ['/all/fiction/x/novels'],
    },
    {
      pattern: '/{type:all|ebook|audio|video}/{root}/{parent}/{name}/{category}',
      indexed: true,
      examples: ['/all/fiction/x/y/novels'],
    },
  ],
});
