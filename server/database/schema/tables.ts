import type * as catalogue from './catalogue.ts';
import type * as offers from './offers.ts';
import type * as payments from './payments.ts';
import type * as people from './people.ts';
import type { SecretsTable } from './secrets.ts';

/** Every table of the store, as the migrations make them. */
export type Tables = {
  stores: catalogue.StoresTable;
  properties: catalogue.PropertiesTable;
  categories: catalogue.CategoriesTable;
  titles: catalogue.TitlesTable;
  title_categories: catalogue.TitleCategoriesTable;
  prices: catalogue.PricesTable;
  pages: catalogue.PagesTable;
  users: people.UsersTable;
  devices: people.DevicesTable;
  tokens: people.TokensTable;
  sign_in_attempts: people.SignInAttemptsTable;
  idempotency_keys: people.IdempotencyKeysTable;
  letters: people.LettersTable;
  progress: people.ProgressTable;
  wishes: people.WishesTable;
  plans: payments.PlansTable;
  cards: payments.CardsTable;
  transactions: payments.TransactionsTable;
  purchases: payments.PurchasesTable;
  entitlements: payments.EntitlementsTable;
  campaigns: offers.CampaignsTable;
  campaign_titles: offers.CampaignTitlesTable;
  carts: offers.CartsTable;
  cart_lines: offers.CartLinesTable;
  codes: offers.CodesTable;
  redemptions: offers.RedemptionsTable;
  credits: offers.CreditsTable;
  subscriptions: offers.SubscriptionsTable;
  gifts: offers.GiftsTable;
  secrets: SecretsTable;
};
