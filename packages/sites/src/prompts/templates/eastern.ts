import { templatesOf } from "./template.ts";

export const EASTERN = {
  ar: templatesOf(`
    category: {what}: ما هي الشركات التي تنصح بها؟
    category: {what} في {where}: ما هي أفضل الشركات؟
    category: {what}: ما هي الشركات المعروفة بجودتها؟
    purchase: {what}: كم يبلغ السعر عادة؟
    purchase+: {what}: أين يمكنني الشراء عبر الإنترنت؟
    comparison: {what}: ما هي البدائل الجيدة عن {rival}؟
    comparison: {what}: ما الفرق بين أهم الشركات؟
    problem: {what}: ما الذي يجب الانتباه إليه عند الاختيار؟
    problem: {what}: ما هي الأخطاء التي يجب تجنبها؟
    fact: ماذا يقدم {brand}؟
    fact: {what}: كم السعر عند {brand}؟
    fact: {what}: هل {brand} خيار جيد؟`),
  ja: templatesOf(`
    category: {where}で{what}のおすすめの会社はどこですか？
    category: {who}におすすめの{what}の会社はどこですか？
    category: {what}で評判の良い会社はどこですか？
    category: {what}のおすすめの会社を教えてください。
    purchase: {what}の値段はいくらですか？
    purchase+: {what}はどこで買えますか？
    comparison: {rival}の代わりになる{what}の会社はありますか？
    comparison: {what}の主な会社はどう違いますか？
    problem: {what}を選ぶときの注意点は何ですか？
    problem: {what}でよくある失敗は何ですか？
    fact: {brand}は何を提供していますか？
    fact: {brand}の{what}はいくらですか？
    fact: {what}なら{brand}は良い選択ですか？`),
  zh: templatesOf(`
    category: {where}有哪些值得推荐的{what}公司？
    category: {what}哪家公司口碑好？
    category: 能推荐一家做{what}的公司吗？
    purchase: {what}一般多少钱？
    purchase+: {what}在哪里可以网上购买？
    comparison: 除了{rival}，{what}还有哪些好的选择？
    comparison: {what}的主要公司有什么区别？
    problem: 选择{what}时要注意什么？
    problem: {what}常见的错误有哪些？
    fact: {brand}提供什么？
    fact: {brand}的{what}多少钱？
    fact: {what}选择{brand}好吗？`),
  ko: templatesOf(`
    category: {where} {what}: 추천할 만한 업체는 어디인가요?
    category: {what}: 평판이 좋은 업체는 어디인가요?
    category: {what}: 어느 업체를 추천하시나요?
    purchase: {what}: 가격은 보통 얼마인가요?
    purchase+: {what}: 온라인으로 어디에서 주문할 수 있나요?
    comparison: {what}: {rival} 대신 선택할 만한 곳은 어디인가요?
    comparison: {what}: 주요 업체들은 어떻게 다른가요?
    problem: {what}: 선택할 때 무엇을 확인해야 하나요?
    problem: {what}: 피해야 할 실수는 무엇인가요?
    fact: {brand}: 무엇을 제공하나요?
    fact: {what}: {brand} 가격은 얼마인가요?
    fact: {what}: {brand}, 좋은 선택인가요?`),
} as const;
