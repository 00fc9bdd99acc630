import { describe, expect, it } from 'vitest'
import { isSecretName, isSurelySecretName } from './secret-names.ts'

const SECRET = `DB_PASS SMTP_PASS pass pass1 userPass dbpass PGPASSWORD passcode PASS_PHRASE DBPass DB_PASS_PROD pwd Pwd pw pin userPin otp
  totp_secret pat GITHUB_PAT bearer mfa_code auth_header authHeader webhook_url SLACK_WEBHOOK connectionString connectionstring
  connection.string mnemonic seed_phrase sas sas_token AZURE_SAS api_token apikey APIKey api-key X-API-KEY key access_key_id clientSecret
  secrets credentials Authorization Proxy-Authorization X-Auth-Token Ocp-Apim-Subscription-Key Set-Cookie session_id sessionid
  jsessionid X-Amz-Signature sig auth jwt refreshToken tokens mytoken id_token password_hash newPassword password2 old-password
  authkey private_key pin_key secret_key recovery_codes_secret AccountKey SharedAccessKey`

const HONEST = `compass passenger passengers pinned pinning author authority authored patient pattern path keyboard monkey turkey hockey key_results
  keyword maxTokens max_tokens total_tokens prompt_tokens completionTokens token_count tokenLimit tokens_per_second tokenizer tokenize
  page_token nextToken primary_key sort_key partitionKey foreign_keys cache_key idempotency-key public_key secretary secretariat
  boarding_pass pass_rate passed bypass first_pass password_policy password_changed_at token_type cookie_consent secret_name
  TLS_KEY_FILE spin pin_color opinion patio sasha design signal assignment authentic bearing SSH_AUTH_SOCK PWD OLDPWD auth_method
  webhook_events connection question region session status email user name code zip_code country_code string url api_base_url
  X-Tenant Accept X-Keyboard`

const list = (names: string): string[] => names.split(/\s+/)

describe('names', () => {
  it.each(list(SECRET))('%s names a secret', (name) => expect(isSecretName(name)).toBe(true))
  it.each(list(HONEST))('%s does not', (name) => expect(isSecretName(name)).toBe(false))
  it('of everyday words are uncertain', () => {
    const unsure = ['key', 'token', 'tokens', 'pin', 'pat', 'auth', 'webhook_url', 'session_id', 'signature']
    expect(unsure.filter(isSurelySecretName)).toEqual([])
    const sure = ['DB_PASS', 'password', 'Pwd', 'api_key', 'access_token', 'clientSecret', 'mnemonic', 'otp']
    expect(sure.filter((name) => !isSurelySecretName(name))).toEqual([])
  })
})
