import type { FlowInput } from '../../../../machines/flows/flow-input.ts';
import type { ContentPage } from '../../../../machines/model/store/content-page.ts';
import type { contentPageMachine } from '../../../../machines/browsing/content-page.ts';
import { chooseLanguages } from '../../causes.ts';
import type { Headings, BrowserAdapter } from '../../browser-adapter.ts';
import { toJsonResponse } from '../../wires.ts';
import { models } from '../../../../machines/path-models/flows/page/paths.ts';

const pageHeadings: Headings<typeof contentPageMachine> = {
  loading: null,
  shown: 'The Reading Circle',
  translating: 'The Reading Circle',
  forCustomers: null,
  notFound: 'We couldn’t find that page',
  failed: 'We couldn’t load this page',
};

export const adapter: BrowserAdapter = {
  name: 'page',
  models,
  reusesPage: true,
  getStartPath: ({ route: { params } }: FlowInput) => `/pages/${params['kind']}/${params['page']}`,
  headings: pageHeadings,
  causes: { 'language.changed': (walk) => chooseLanguages(walk) },
  ports: {
    page: {
      matches: ({ pathname }) => pathname.startsWith('/api/pages/'),
      toResponse: ({ name, html }: ContentPage) => toJsonResponse({ name: 'reading-circle', title: name, html }),
      isEquivalent: ({ name }: ContentPage, body) => body.includes(`"title":"${name}"`),
    },
  },
};
