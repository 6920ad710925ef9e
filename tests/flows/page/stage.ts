import type { FlowInput } from '../../../machines/model/flow.ts';
import type { ContentPage } from '../../../machines/model/content-page.ts';
import type { contentPageMachine } from '../../../machines/browsing/content-page.ts';
import { element, fields } from '../../../server/xml/write.ts';
import { chooseLanguages } from '../../e2e/tours/causes.ts';
import type { Headings, Stage } from '../../e2e/tours/stage.ts';
import { json, xml } from '../../e2e/tours/wires.ts';
import { models } from './paths.ts';

const ofPage: Headings<typeof contentPageMachine> = {
  loading: null,
  shown: 'The Reading Circle',
  translating: 'The Reading Circle',
  forCustomers: null,
  notFound: 'We couldn’t find that page',
  failed: 'We couldn’t load this page',
};

export const stage: Stage = {
  name: 'page',
  models,
  sharesPage: true,
  address: ({ route: { params } }: FlowInput) =>
    params['campaign'] === undefined ? `/pages/${params['kind']}/${params['page']}` : `/campaign/${params['campaign']}`,
  headings: ofPage,
  causes: { 'language.changed': (world) => chooseLanguages(world) },
  ports: {
    page: {
      asks: ({ pathname }) => /\/api\/(?:pages\/|campaign\/titles$)/.test(pathname),
      answer: ({ name, html }: ContentPage, { pathname }) =>
        pathname.endsWith('/titles')
          ? xml(element('Campaign', [fields({ CampaignId: 'spring', Name: name, Message: html })]))
          : json({ name: 'reading-circle', title: name, html }),
      says: ({ name }: ContentPage, body) => body.includes(`"title":"${name}"`),
    },
  },
};
